// The only file that speaks to GRDB and SQLite. Everything else uses `SQLiteConnection` and `SQLiteStatement`, which
// without the trait `SQLite` are those of SQLiteConnection+Absent.swift.

#if SQLite
  internal import GRDB
  internal import GRDBSQLite

  /// An open database, on which nothing is run but our own statements.
  ///
  /// What a file says is not trusted: views and generated columns may call no function that has an effect, extensions are
  /// not loaded, values and steps are bounded by the budget.
  @safe
  final class SQLiteConnection {
    /// Whether databases can be read and written at all.
    /// Whether a path may be a URI, which can say that a file does not change.
    static var takesURIs: Bool { unsafe sqlite3_compileoption_used("USE_URI") != 0 }

    private let queue: DatabaseQueue
    private let handle: OpaquePointer?
    private let steps: StepCount
    private let budget: Budget

    /// Opens a database to read it. With `recovering`, what an interrupted change has left beside it is applied, which
    /// writes to the file.
    init(reading path: String, recovering: Bool = false, fileSize: Int, budget: Budget) throws(Failure) {
      var configuration = Self.configuration(readOnly: !recovering)
      // A database from anywhere may have been written when "text" in double quotes was still a string.
      configuration.acceptsDoubleQuotedStringLiterals = true
      steps = StepCount(limit: Self.stepLimit(fileSize: fileSize, budget))
      self.budget = budget
      unsafe (queue, handle) = try Self.open(path, configuration)
      limit(longest: min(budget.tokenBytes, max(fileSize, budget.amplificationFloor)))
      try execute("PRAGMA trusted_schema = OFF")
      try execute("PRAGMA cell_size_check = ON")
    }

    /// Makes a database of an empty file that nobody else knows: without a journal, because a file that fails is thrown
    /// away.
    init(creating path: String) throws(Failure) {
      steps = StepCount(limit: .max)
      budget = Budget()
      unsafe (queue, handle) = try Self.open(path, Self.configuration(readOnly: false))
      for setting in ["journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE"] {
        try execute("PRAGMA \(setting)")
      }
    }

    /// Opens a database that others may use, to add to it; waits a while for them.
    init(changing path: String) throws(Failure) {
      steps = StepCount(limit: .max)
      budget = Budget()
      var configuration = Self.configuration(readOnly: false)
      configuration.foreignKeysEnabled = true
      unsafe (queue, handle) = try Self.open(path, configuration)
      try execute("PRAGMA trusted_schema = OFF")
    }

    /// Makes an empty database of our own a copy of another, as that is now. What is then removed from it leaves no trace.
    func becomeCopy(of other: SQLiteConnection) throws(Failure) {
      do {
        try other.queue.backup(to: queue)
      } catch {
        throw failure(error)
      }
      // The copy of a database with a log wants one as well.
      for setting in ["journal_mode = DELETE", "journal_mode = OFF", "secure_delete = ON"] {
        try execute("PRAGMA \(setting)")
      }
      try execute("PRAGMA trusted_schema = OFF")
    }

    deinit { unsafe sqlite3_progress_handler(handle, 0, nil, nil) }

    private static func configuration(readOnly: Bool) -> Configuration {
      var configuration = Configuration()
      configuration.readonly = readOnly
      configuration.foreignKeysEnabled = false
      configuration.allowsUnsafeTransactions = true
      configuration.busyMode = .timeout(1)
      return configuration
    }

    private static func open(
      _ path: String, _ configuration: Configuration
    ) throws(Failure) -> (DatabaseQueue, OpaquePointer?) {
      do {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let handle = unsafe queue.unsafeRead { database in unsafe database.sqliteConnection }
        // GRDB's observers of changes would be called from statements that we step through outside its queue.
        _ = unsafe sqlite3_commit_hook(handle, nil, nil)
        _ = unsafe sqlite3_rollback_hook(handle, nil, nil)
        return unsafe (queue, handle)
      } catch let error as DatabaseError {
        throw Failure(error.extendedResultCode.rawValue, error.message ?? "")
      } catch {
        throw Failure(.database(.refused(place: "", words: "\(error)")))
      }
    }

    /// How many steps of SQLite's machine a file may cost: a table takes a few for each byte, a view may take any number.
    private static func stepLimit(fileSize: Int, _ budget: Budget) -> Int {
      let (fair, overflows) = budget.amplification.multipliedReportingOverflow(by: fileSize)
      let (limit, isMore) = fair.addingReportingOverflow(8 * min(budget.amplificationFloor, Int.max / 8))
      return overflows || isMore ? .max : limit
    }

    private func limit(longest: Int) {
      _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: longest))
      _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100)
      _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
      let counter = unsafe Unmanaged.passUnretained(steps).toOpaque()
      unsafe sqlite3_progress_handler(handle, StepCount.stride, countSteps, counter)
    }

    /// Runs a statement that gives no rows.
    func execute(_ sql: String) throws(Failure) {
      do {
        try queue.unsafeRead { database in try database.execute(sql: sql) }
      } catch {
        throw failure(error)
      }
    }

    /// A statement to be stepped through.
    func statement(_ sql: String) throws(Failure) -> SQLiteStatement {
      do {
        return SQLiteStatement(
          try queue.unsafeRead { database in try database.makeStatement(sql: sql) }, of: self)
      } catch {
        throw failure(error)
      }
    }

    private func failure(_ error: any Error) -> Failure {
      guard let error = error as? DatabaseError else {
        return Failure(.database(.refused(place: "", words: "\(error)")))
      }
      return failure(error.extendedResultCode.rawValue, words: error.message ?? "")
    }

    /// What a result code of SQLite means here.
    fileprivate func failure(_ code: Int32, words: String? = nil) -> Failure {
      switch code & 0xff {
      case SQLITE_TOOBIG: return Failure(.overBudget(.tokenBytes(budget.tokenBytes)))
      case SQLITE_INTERRUPT: return Failure(.overBudget(.amplification(budget.amplification)))
      default:
        let message = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) }
        return Failure(code, words ?? message ?? "")
      }
    }
  }

  extension Failure {
    fileprivate init(_ code: Int32, _ words: String) {
      switch code {
      case SQLITE_READONLY | 1 << 8, SQLITE_READONLY | 3 << 8, SQLITE_READONLY | 5 << 8:
        // RECOVERY, ROLLBACK and CANTINIT: what is beside the file would have to be written to.
        self.init(.database(.interrupted))
        return
      default: break
      }
      switch code & 0xff {
      case SQLITE_NOTADB: self.init(.database(.notADatabase))
      case SQLITE_BUSY, SQLITE_LOCKED: self.init(.database(.locked))
      case SQLITE_CORRUPT: self.init(.database(.damaged(place: "", words: words)))
      case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_FULL, SQLITE_PERM, SQLITE_AUTH, SQLITE_READONLY:
        self.init(.file(.system(words)))
      default: self.init(.database(.refused(place: "", words: words)))
      }
    }
  }

  /// Counts the steps of SQLite's machine, and stops it at a limit.
  private final class StepCount {
    static let stride: Int32 = 1000
    private let limit: Int
    private var count = 0

    init(limit: Int) { self.limit = limit }

    /// Counts one stride; false when there have been enough.
    func goesOn() -> Bool {
      count += Int(Self.stride)
      return count <= limit
    }
  }

  @c private func countSteps(_ counter: UnsafeMutableRawPointer?) -> Int32 {
    guard let counter = unsafe counter else { return 0 }
    return unsafe Unmanaged<StepCount>.fromOpaque(counter).takeUnretainedValue().goesOn() ? 0 : 1
  }

  /// A statement and its current row. Values are borrowed from SQLite until the next step.
  @safe
  final class SQLiteStatement {
    private let statement: Statement
    private let handle: OpaquePointer
    private let connection: SQLiteConnection
    /// How many columns a row has.
    let columnCount: Int

    fileprivate init(_ statement: Statement, of connection: SQLiteConnection) {
      self.statement = statement
      self.connection = connection
      unsafe handle = statement.sqliteStatement
      columnCount = Int(unsafe sqlite3_column_count(handle))
    }

    /// Goes to the next row; false when there is none.
    func step() throws(Failure) -> Bool {
      switch unsafe sqlite3_step(handle) {
      case SQLITE_ROW: return true
      case SQLITE_DONE: return false
      case let code: throw connection.failure(code)
      }
    }

    /// Goes back to before the first row, or makes the statement ready to be run again.
    func reset() { _ = unsafe sqlite3_reset(handle) }

    // MARK: Columns

    /// A column's name.
    func name(_ column: Int) -> String {
      unsafe sqlite3_column_name(handle, Int32(column)).map { unsafe String(cString: $0) } ?? ""
    }

    /// The type that a column is declared with, in its own words; nil for none, and for an expression.
    func declaredType(_ column: Int) -> String? {
      unsafe sqlite3_column_decltype(handle, Int32(column)).map { unsafe String(cString: $0) }
    }

    /// What the row has in a column.
    func kind(_ column: Int) -> SQLiteKind {
      switch unsafe sqlite3_column_type(handle, Int32(column)) {
      case SQLITE_INTEGER: .integer
      case SQLITE_FLOAT: .real
      case SQLITE_TEXT: .text
      case SQLITE_BLOB: .blob
      default: .null
      }
    }

    /// The integer in a column.
    func integer(_ column: Int) -> Int64 { unsafe sqlite3_column_int64(handle, Int32(column)) }

    /// The real in a column.
    func real(_ column: Int) -> Double { unsafe sqlite3_column_double(handle, Int32(column)) }

    /// The bytes of the text or blob in a column. Text is in UTF-8, as far as the file keeps to it.
    func withBytes<R>(
      _ column: Int, _ body: (Span<UInt8>) throws(Failure) -> R
    ) throws(Failure) -> R {
      let isText = kind(column) == .text
      let text = isText ? unsafe sqlite3_column_text(handle, Int32(column)) : nil
      let start =
        isText
        ? unsafe text.map { unsafe UnsafeRawPointer($0) } : unsafe sqlite3_column_blob(handle, Int32(column))
      let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
      guard let start = unsafe start else { return try body(Span()) }
      return try body(
        unsafe Span(_unsafeStart: start.assumingMemoryBound(to: UInt8.self), count: count))
    }

    // MARK: Parameters

    /// Binds NULL to a parameter, counted from 1.
    func bindNull(_ parameter: Int) throws(Failure) {
      try check(unsafe sqlite3_bind_null(handle, Int32(parameter)))
    }

    func bind(_ parameter: Int, _ value: Int64) throws(Failure) {
      try check(unsafe sqlite3_bind_int64(handle, Int32(parameter), value))
    }

    func bind(_ parameter: Int, _ value: Double) throws(Failure) {
      try check(unsafe sqlite3_bind_double(handle, Int32(parameter), value))
    }

    func bind(_ parameter: Int, text: Span<UInt8>) throws(Failure) {
      // Of no bytes there may be no address, which would be NULL.
      guard text.count > 0 else {
        return try check(unsafe sqlite3_bind_text(handle, Int32(parameter), "", 0, Self.copied))
      }
      let code = unsafe text.withUnsafeBytes { bytes in
        unsafe sqlite3_bind_text64(
          handle, Int32(parameter), bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
          UInt64(bytes.count), Self.copied, UInt8(SQLITE_UTF8))
      }
      try check(code)
    }

    func bind(_ parameter: Int, blob: Span<UInt8>) throws(Failure) {
      guard blob.count > 0 else {
        return try check(unsafe sqlite3_bind_zeroblob(handle, Int32(parameter), 0))
      }
      let code = unsafe blob.withUnsafeBytes { bytes in
        unsafe sqlite3_bind_blob64(
          handle, Int32(parameter), bytes.baseAddress, UInt64(bytes.count), Self.copied)
      }
      try check(code)
    }

    private func check(_ code: Int32) throws(Failure) {
      guard code == SQLITE_OK else { throw connection.failure(code) }
    }

    /// SQLITE_TRANSIENT: SQLite makes a copy, because what is bound is borrowed.
    private static var copied: sqlite3_destructor_type? {
      unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
    }
  }
#endif
