/// A database that is there already, as the output of a conversion: its records are added to a table of it.
///
///     var conversion = Conversion(to: .sqlite)
///     conversion.table = "people"
///     _ = try conversion.convert(input, to: DatabaseOutput(path: "people.db"))
///
/// They are added as one change, which other programs see as a whole or, after a failure, not at all.
public final class DatabaseOutput: ByteOutput {
  /// Where the database is.
  public let database: String?

  /// The database at a path. It is opened when the conversion begins.
  public init(path: String) { database = path }

  /// Whether there is a file at a path that could be a database.
  public static func isFile(_ path: String) -> Bool {
    (try? SystemPath.status(of: path))??.kind == .regular
  }

  /// Refuses a path for a new database when the log of another is beside it, whose changes SQLite would take for its own.
  public static func checkNoLog(beside path: String) throws(Failure) {
    for suffix in ["-wal", "-journal"] {
      guard let status = try SystemPath.status(of: path + suffix), status.size > 0 else { continue }
      throw Failure(.database(.logBeside(path + suffix)))
    }
  }

  /// Refused: no bytes are written to a database.
  public func write(_ bytes: Span<UInt8>) throws(Failure) { throw Failure(.file(.notOpen)) }
}
