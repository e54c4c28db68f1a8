package tlc2.overrides;

import org.overlaytrie.conformance.trace.TraceOperators;

/** Where TLC looks for Java implementations of operators; the name is TLC's choice. */
public final class TLCOverrides implements ITLCOverrides {

  @Override
  @SuppressWarnings("rawtypes") // TLC's signature
  public Class[] get() {
    return new Class[] {TraceOperators.class};
  }
}
