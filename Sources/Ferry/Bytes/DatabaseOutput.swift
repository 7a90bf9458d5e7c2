/// An existing database as the output of a conversion. The conversion adds records to a table.
///
///     var conversion = Conversion(to: .sqlite)
///     conversion.writing.table = "people"
///     _ = try conversion.convert(input, to: DatabaseOutput(path: "people.db"))
///
/// All records are added in one transaction: other programs see all of them or, after an error, none.
public final class DatabaseOutput: ByteOutput {
  /// The path of the database.
  public let database: String?

  /// Creates an output for the database at a path. The database is opened when the conversion begins.
  public init(path: String) { database = path }

  /// Returns true if a regular file exists at a path, so that it may be a database.
  public static func isFile(_ path: String) -> Bool {
    (try? SystemPath.status(of: path))??.kind == .regular
  }

  /// Throws if a log or journal exists next to a new database, at the path or where a symbolic link there leads. SQLite would apply it
  /// to the database.
  public static func checkNoLog(beside path: String) throws(FerryError) {
    let files = try DatabaseFiles(at: path)
    for name in [files.log, files.journal] {
      guard let status = try SystemPath.status(of: name), status.size > 0 else { continue }
      throw FerryError(.database(.logBeside(name)))
    }
  }

  /// Throws an error, because bytes cannot be written to a database.
  public func write(_ bytes: Span<UInt8>) throws(FerryError) { throw FerryError(.file(.notOpen)) }
}
