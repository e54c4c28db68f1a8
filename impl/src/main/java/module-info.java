/**
 * A durable ordered map for the JVM. Only the API package is exported; it needs nothing beyond
 * {@code java.base}.
 */
module org.overlaytrie {
  exports org.overlaytrie;
}
