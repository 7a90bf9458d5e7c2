/// An existing database as the output of a conversion, which adds records to a table.
///
///     var conversion = Conversion(to: .sqlite)
///     conversion.table = "people"
///     _ = try conversion.convert(input, to: DatabaseOutput(path: "people.db"))
///
/// The records are added in one transaction: other programs see all of them or, after an error, none.
public final class DatabaseOutput: ByteOutput {
  /// The path of the database.
  public let database: String?

  /// Creates an output for the database at a path, which is opened when the conversion begins.
  public init(path: String) { database = path }

  /// Returns true if there is a regular file at a path, which may be a database.
  public static func isFile(_ path: String) -> Bool {
    (try? SystemPath.status(of: path))??.kind == .regular
  }

  /// Throws if a log or journal exists beside the path of a new database, because SQLite would apply it to
  /// the new database.
  public static func checkNoLog(beside path: String) throws(FerryError) {
    for suffix in ["-wal", "-journal"] {
      guard let status = try SystemPath.status(of: path + suffix), status.size > 0 else { continue }
      throw FerryError(.database(.logBeside(path + suffix)))
    }
  }

  /// Throws: bytes cannot be written to a database.
  public func write(_ bytes: Span<UInt8>) throws(FerryError) { throw FerryError(.file(.notOpen)) }
}
