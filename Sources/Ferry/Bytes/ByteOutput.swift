/// A destination for the output of a writer. A type of your own implements `write(_:)` for a `Span`; those for an array and a text call it.
public protocol ByteOutput: AnyObject {
  /// The path of a database, if the output is a `DatabaseOutput`, to which records are added instead of
  /// writing bytes. Nil for all other outputs.
  var database: String? { get }
  /// Writes all of the bytes.
  func write(_ bytes: Span<UInt8>) throws(FerryError)
}

/// An output whose bytes can be replaced or removed after they were written.
package protocol ReplacingOutput: ByteOutput {
  /// Returns the offset of the next bytes, or nil if they can neither be replaced nor removed.
  func replaceableOffset() throws(FerryError) -> Int?
  /// Replaces written bytes by as many others.
  func replace(_ bytes: Span<UInt8>, at offset: Int) throws(FerryError)
  /// Removes the bytes from an offset on.
  func removeBytes(from offset: Int) throws(FerryError)
}

/// An output that forwards all bytes to another one, and can replace and remove them if the other one can.
package protocol ForwardingOutput: ReplacingOutput {
  /// The output that receives the bytes.
  var next: any ByteOutput { get }
}

extension ForwardingOutput {
  package func replaceableOffset() throws(FerryError) -> Int? {
    guard let next = next as? any ReplacingOutput else { return nil }
    return try next.replaceableOffset()
  }

  package func replace(_ bytes: Span<UInt8>, at offset: Int) throws(FerryError) {
    try (next as? any ReplacingOutput)?.replace(bytes, at: offset)
  }

  package func removeBytes(from offset: Int) throws(FerryError) {
    try (next as? any ReplacingOutput)?.removeBytes(from: offset)
  }
}

extension ByteOutput {
  /// Nil: the output is not a database.
  public var database: String? { nil }

  /// Writes all of the bytes of an array.
  ///
  ///     let output = MemoryOutput()
  ///     try output.write([0x41, 0x64, 0x61])
  ///     try output.write("\n")
  ///     output.bytes      // [0x41, 0x64, 0x61, 0x0a]
  ///
  /// - Throws: An error of the output.
  public func write(_ bytes: [UInt8]) throws(FerryError) { try write(bytes.span) }

  /// Writes a text in UTF-8.
  ///
  /// - Throws: An error of the output.
  public func write(_ text: String) throws(FerryError) { try write(text.utf8.span) }
}
