/// A destination for the output of a writer.
public protocol ByteOutput: AnyObject {
  /// The path of a database, if the output is a `DatabaseOutput`, to which records are added instead of
  /// writing bytes. Nil for all other outputs.
  var database: String? { get }
  /// Writes all of the bytes.
  func write(_ bytes: Span<UInt8>) throws(FerryError)
}

extension ByteOutput {
  /// Nil: the output is not a database.
  public var database: String? { nil }
}
