/// An output that discards its bytes.
package final class NullOutput: ByteOutput {
  package init() {}

  package func write(_ bytes: Span<UInt8>) throws(FerryError) {}
}
