/** How a change becomes a version, durable and visible: one CAS on the tip, one force for many. */
package org.overlaytrie.commit;
