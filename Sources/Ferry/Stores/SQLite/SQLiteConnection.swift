// The only file that calls SQLite. In builds without the trait `SQLite`, SQLiteConnection+Absent.swift
// replaces the types `SQLiteConnection` and `SQLiteStatement`.

#if SQLite
  internal import CSQLite

  /// An open database.
  ///
  /// The contents of the file are not trusted: views and triggers may call only functions that are innocuous and may not use virtual tables,
  /// a connection for reading runs no modules of virtual tables, extensions are not loaded, and the budget limits the size of values and the
  /// number of steps.
  @safe
  final class SQLiteConnection {
    private let handle: OpaquePointer
    private let steps = StepCount()
    private var budget: Budget
    /// The number of bytes in the database, and of those that are added to it.
    private var size = 0
    /// The size of the names and values that were read in bytes.
    private var readBytes = 0
    /// The maximum size of a value or a row in bytes; nil for a new database, which computes no values.
    private var mostLength: Int?
    /// The functions that definitions may call.
    private var functions = DefinitionFunctions.needed
    /// True if definitions may call all functions but those for direct use only; nil for SQLite's default.
    private var areDefinitionsTrusted: Bool?
    /// The check of a view that may call JSON functions, once a view has needed it.
    private var viewCheck: ViewCheck?
    /// The modules of virtual tables that SQLite has. A connection for reading does not run them.
    private(set) var modules: Set<SQLiteName> = []
    /// True if the connection is only for reading, so that it has no modules of virtual tables.
    private let isForReading: Bool
    /// True if the database is a temporary file.
    private let isTemporary: Bool
    /// The gate through which each use of the connection goes; nil unless it changes a database in place.
    private let gate: SQLiteGate?

    /// The modes of opening a database file.
    enum Access {
      /// Reads the file under SQLite's own locks.
      case reading
      /// Reads a file that does not change, without creating the files that a write-ahead log needs.
      case readingUnchanging
      /// Reads after recovering from an interrupted change, which writes to the file.
      case recovering
      case writing

      fileprivate var flags: Int32 {
        let access =
          switch self {
          case .reading: SQLITE_OPEN_READONLY
          case .readingUnchanging: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
          case .recovering, .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
          }
        // A connection is used by one task at a time, so it needs no mutex.
        return access | SQLITE_OPEN_NOMUTEX
      }
    }

    /// Opens a database for reading.
    init(
      reading path: String, _ access: Access = .reading, fileSize: Int, budget: Budget
    ) throws(FerryError) {
      self.budget = budget
      isTemporary = access == .recovering
      isForReading = true
      gate = nil
      unsafe handle = try Self.open(path, access)
      // Old databases may contain strings in double quotes, which SQLite once accepted.
      unsafe ferry_allow_quoted_strings(handle, 1)
      // SQLite would run the module of a virtual table as soon as it prepares a statement that uses the table, even to find that it may not.
      modules = try names("PRAGMA module_list")
      unsafe ferry_drop_modules(handle)
      setLimits(forBytes: fileSize)
      try prepareToRead()
      // A part of the database may be in its log.
      setLimits(forBytes: max(fileSize, try pageBytes()))
    }

    private func prepareToRead() throws(FerryError) {
      try execute("PRAGMA cell_size_check = ON")
      // Fails if the file is not a database, or cannot be read in this mode.
      try readDefinitions()
    }

    /// Creates a database in an empty temporary file that no other process uses. It needs no journal, because the file
    /// is discarded after an error.
    init(creating path: String) throws(FerryError) {
      budget = Budget()
      isTemporary = true
      isForReading = false
      gate = nil
      unsafe handle = try Self.open(path, .writing)
      for setting in ["journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE"] {
        try execute("PRAGMA \(setting)")
      }
    }

    /// Opens a database to add to it. Waits if other processes have locked it. If a signal ends the process, the changes that are not
    /// committed are rolled back, and no journal or log stays beside the database.
    ///
    /// - Parameter budget: The limits on the cost of triggers. They grow with the rows that are added.
    init(changing path: String, budget: Budget) throws(FerryError) {
      self.budget = budget
      isTemporary = false
      isForReading = false
      unsafe handle = try Self.open(path, .writing)
      unsafe gate = SQLiteGate(handle)
      try execute("PRAGMA foreign_keys = ON")
      try trustDefinitions(true)
      setLimits(forBytes: try pageBytes())
    }

    deinit {
      // Closing cannot fail: a statement keeps its connection alive, so none is open here.
      if let gate {
        gate.close()
      } else {
        unsafe sqlite3_progress_handler(handle, 0, nil, nil)
        _ = unsafe sqlite3_close_v2(handle)
      }
    }

    private static func open(_ path: String, _ access: Access) throws(FerryError) -> OpaquePointer {
      var opened: OpaquePointer?
      let code = try unsafe sqlite3_open_v2(SystemPath.checked(path), &opened, access.flags, nil)
      guard code == SQLITE_OK, let handle = unsafe opened else {
        _ = unsafe sqlite3_close_v2(opened)
        throw FerryError(code, unsafe String(cString: sqlite3_errstr(code)))
      }
      _ = unsafe sqlite3_extended_result_codes(handle, 1)
      _ = unsafe sqlite3_busy_timeout(handle, Self.patience)
      unsafe ferry_allow_quoted_strings(handle, 0)
      return unsafe handle
    }

    /// The time in milliseconds to wait for other processes to unlock the database.
    private static let patience: Int32 = 1000

    /// Copies the contents of another database into this empty one. Contents that are removed later are
    /// overwritten.
    func becomeCopy(of other: SQLiteConnection) throws(FerryError) {
      guard let backup = unsafe sqlite3_backup_init(handle, "main", other.handle, "main") else {
        throw error(unsafe sqlite3_extended_errcode(handle))
      }
      _ = unsafe sqlite3_backup_step(backup, -1)
      let code = unsafe sqlite3_backup_finish(backup)
      guard code == SQLITE_OK else { throw error(code) }
      // The copy of a database in WAL mode would also use a log. A journal in a file would stay.
      for setting in ["journal_mode = MEMORY", "journal_mode = OFF", "secure_delete = ON"] {
        try execute("PRAGMA \(setting)")
      }
      try trustDefinitions(true)
      budget = other.budget
      setLimits(forBytes: other.size)
    }

    /// Returns the bytes of a database file with the contents that a reader sees, which may partly be in a log.
    func contents() throws(FerryError) -> [UInt8] {
      var size: Int64 = 0
      guard let bytes = unsafe sqlite3_serialize(handle, "main", &size, 0) else {
        throw error(unsafe sqlite3_extended_errcode(handle))
      }
      defer { unsafe sqlite3_free(bytes) }
      return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: Int(size)))
    }

    // MARK: Limits

    /// Sets the limits for a database that others may have made, by its size.
    private func setLimits(forBytes byteCount: Int) {
      size = byteCount
      mostLength = 0
      setGrowingLimits()
      _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100)
      _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
      let counter = unsafe Unmanaged.passUnretained(steps).toOpaque()
      unsafe sqlite3_progress_handler(handle, StepCount.stride, countSteps, counter)
    }

    /// Sets the limits on the steps of SQLite's virtual machine and on the size of a value. Reading a table takes a few steps for
    /// each byte; a view or a trigger may take any number.
    private func setGrowingLimits() {
      steps.limit = budget.workAllowance(forInputBytes: size)
      // A text may be stored in UTF-16.
      let growth = 2 * (budget.allowance(forInputBytes: size) / Budget().amplification)
      let length = min(budget.tokenBytes, max(budget.amplificationFloor, growth))
      guard let mostLength, length > mostLength else { return }
      self.mostLength = length
      _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: length))
    }

    /// Begins to count steps and the bytes that are read anew, for another conversion of the database.
    func beginCounting() {
      steps.count = 0
      readBytes = 0
    }

    /// Notes the size of new rows, with which the limits grow.
    fileprivate func note(addedBytes: Int) {
      guard mostLength != nil else { return }
      size += addedBytes
      setGrowingLimits()
    }

    /// Notes the size of names and values that are read. Throws if the size of all of them is much more than that of the database:
    /// generated columns, default values and long names of columns expand.
    fileprivate func note(readBytes count: Int) throws(FerryError) {
      readBytes += count
      guard mostLength == nil || readBytes <= budget.allowance(forInputBytes: size) else {
        throw budget.overAmplification
      }
    }

    /// Returns the size of the database in bytes, also of the pages that are in its log.
    private func pageBytes() throws(FerryError) -> Int {
      // A table or view of the database may have the name of the function for a PRAGMA statement.
      let count = try statement("PRAGMA page_count")
      let size = try statement("PRAGMA page_size")
      guard try count.step(), try size.step() else { return 0 }
      return Int(count.integer(0)) * Int(size.integer(0))
    }

    /// Enters the gate. Does not return after the changes have been undone.
    fileprivate func enter() { gate?.enter() }

    /// Leaves the gate.
    fileprivate func leave() { gate?.leave() }

    /// True if a signal may end the statements at any time when the gate is free.
    fileprivate var hasGate: Bool { gate != nil }

    // MARK: Functions in definitions

    /// The functions that the definitions in the database may call, apart from those for direct use only.
    enum DefinitionFunctions {
      /// The functions that SQLite counts as innocuous, and JSON functions in the views of a connection for reading.
      case innocuous
      /// Others, too, if a statement needs them. Generated columns, indexes and CHECK constraints contain only expressions, which have no side
      /// effects.
      case needed
    }

    /// Limits the functions that definitions may call.
    func limitDefinitions(to functions: DefinitionFunctions) throws(FerryError) {
      self.functions = functions
      try trustDefinitions(false)
    }

    /// Makes SQLite read the definitions in the database. It does not even read that of a generated column, or of an index, that calls a
    /// function which it may not call.
    func readDefinitions() throws(FerryError) {
      try trustDefinitions(true)
      do throws(FerryError) { try execute("SELECT 1 FROM sqlite_master LIMIT 1") } catch {
        // The first error says more than one of this statement.
        try? trustDefinitions(false)
        throw error
      }
      try trustDefinitions(false)
    }

    private func trustDefinitions(_ areTrusted: Bool) throws(FerryError) {
      guard areDefinitionsTrusted != areTrusted else { return }
      _ = unsafe sqlite3_set_authorizer(handle, nil, nil)
      try execute("PRAGMA trusted_schema = \(areTrusted ? "ON" : "OFF")")
      areDefinitionsTrusted = areTrusted
    }

    /// Prepares a statement that needs a JSON function in a view. By an error, SQLite 3.38 to 3.40 do not count JSON functions as innocuous.
    /// Until the definitions are limited again, views may call them, but no others that are not innocuous.
    private func preparedWithJSON(_ sql: String) throws(FerryError) -> SQLiteStatement {
      let check = if let viewCheck { viewCheck } else { ViewCheck(allowing: try innocuousFunctions()) }
      viewCheck = check
      check.refusedName = nil
      check.tables = try names("SELECT name FROM sqlite_master WHERE name LIKE 'pragma%'")
      try trustDefinitions(true)
      _ = unsafe sqlite3_set_authorizer(handle, checkView, Unmanaged.passUnretained(check).toOpaque())
      do throws(FerryError) { return try prepared(sql) } catch {
        try trustDefinitions(false)
        guard let name = check.refusedName else { throw error }
        throw FerryError(.database(.untrusted(location: "", name: name)))
      }
    }

    /// Returns the names of SQLite's innocuous functions, and of its JSON functions.
    private func innocuousFunctions() throws(FerryError) -> Set<SQLiteName> {
      let list = try prepared("PRAGMA function_list")
      var names: Set<SQLiteName> = []
      while try list.step() {
        let name = try list.text(0)
        let isInnocuous = list.integer(5) & Int64(SQLITE_INNOCUOUS) != 0
        if isInnocuous || isJSONFunction(name) { names.insert(SQLiteName(name)) }
      }
      return names
    }

    /// Returns the names in the first column of the rows of a statement.
    private func names(_ sql: String) throws(FerryError) -> Set<SQLiteName> {
      let list = try prepared(sql)
      var names: Set<SQLiteName> = []
      while try list.step() { names.insert(SQLiteName(try list.text(0))) }
      return names
    }

    // MARK: Statements

    /// Begins a transaction, which provides a consistent state even if other processes change the database meanwhile. A connection that is
    /// read several times keeps the first one.
    func beginReading() throws(FerryError) {
      enter()
      defer { leave() }
      guard unsafe sqlite3_get_autocommit(handle) != 0 else { return }
      try execute("BEGIN")
      // Another process may have changed them.
      try readDefinitions()
    }

    /// Runs a statement and ignores its rows.
    func execute(_ sql: String) throws(FerryError) {
      let statement = try statement(sql)
      while try statement.step() {}
    }

    /// Prepares a statement. Definitions may call more functions from then on if it needs them, and if that is allowed.
    func statement(_ sql: String) throws(FerryError) -> SQLiteStatement {
      do throws(FerryError) { return try prepared(sql) } catch {
        guard areDefinitionsTrusted == false, case .database(.untrusted(_, let name)) = error.reason else {
          throw error
        }
        switch functions {
        case .needed:
          try trustDefinitions(true)
          return try prepared(sql)
        case .innocuous:
          guard isForReading, isJSONFunction(name) else { throw error }
          return try preparedWithJSON(sql)
        }
      }
    }

    private func prepared(_ sql: String) throws(FerryError) -> SQLiteStatement {
      enter()
      defer { leave() }
      var prepared: OpaquePointer?
      let code = unsafe sql.utf8.span.withUnsafeBytes { bytes in
        unsafe sqlite3_prepare_v2(
          handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: bytes.count),
          &prepared, nil)
      }
      guard code == SQLITE_OK, let statement = unsafe prepared else { throw error(code) }
      return unsafe SQLiteStatement(statement, of: self)
    }

    /// Creates the error for a result code of SQLite.
    fileprivate func error(_ code: Int32) -> FerryError {
      switch code & 0xff {
      case SQLITE_TOOBIG where mostLength ?? .max < budget.tokenBytes: return budget.overAmplification
      case SQLITE_TOOBIG: return FerryError(.overBudget(.tokenBytes(budget.tokenBytes)))
      case SQLITE_INTERRUPT: return budget.overAmplification
      case SQLITE_FULL where isTemporary: return .temporaryFolderIsFull
      default:
        let message = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) }
        let error = FerryError(code, message ?? "")
        return isTemporary ? error.ofTemporaryFolder : error
      }
    }
  }

  /// The gate of a connection that changes a database in place. A signal ends the process on another thread, which passes the gate, rolls
  /// the changes back, closes the connection and never leaves: a thread that comes to the gate then waits for the end of the process.
  ///
  /// That thread has the locks of `OpenChanges` and `FileOutput` when it comes to the gate. A thread inside the gate therefore calls only
  /// SQLite, so that it never waits for one of these locks.
  @safe
  private final class SQLiteGate: InterruptibleChange {
    private nonisolated(unsafe) let handle: OpaquePointer
    private nonisolated(unsafe) let mutex: OpaquePointer?
    /// False after the connection was closed. Only a thread inside the gate uses this.
    private nonisolated(unsafe) var isOpen = true

    @unsafe
    init(_ handle: OpaquePointer) {
      unsafe self.handle = unsafe handle
      // A use of the connection may contain another one: the bytes of a value are read by its kind.
      unsafe mutex = unsafe sqlite3_mutex_alloc(SQLITE_MUTEX_RECURSIVE)
      OpenChanges.add(self)
    }

    deinit { unsafe sqlite3_mutex_free(mutex) }

    func enter() { unsafe sqlite3_mutex_enter(mutex) }

    func leave() { unsafe sqlite3_mutex_leave(mutex) }

    /// Closes the connection, whose statements are finalized. Until it is closed, a signal undoes its changes.
    func close() {
      enter()
      closeConnection()
      leave()
      OpenChanges.remove(self)
    }

    func undo() {
      enter()
      guard unsafe isOpen else { return }
      while let statement = unsafe sqlite3_next_stmt(handle, nil) { _ = unsafe sqlite3_finalize(statement) }
      _ = unsafe sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      // The last connection removes the log and its index.
      closeConnection()
    }

    private func closeConnection() {
      _ = unsafe sqlite3_close_v2(handle)
      unsafe isOpen = false
    }
  }

  extension FerryError {
    fileprivate init(_ code: Int32, _ words: String) {
      if [SQLITE_READONLY | 1 << 8, SQLITE_READONLY | 3 << 8, SQLITE_READONLY | 5 << 8].contains(code) {
        // RECOVERY, ROLLBACK and CANTINIT mean that SQLite would have to write to files next to the database.
        self.init(.database(.interrupted))
        return
      }
      if [SQLITE_ERROR, SQLITE_CORRUPT].contains(code & 0xff), let name = Self.untrustedName(in: words) {
        self.init(.database(.untrusted(location: "", name: name)))
        return
      }
      switch code & 0xff {
      case SQLITE_NOTADB: self.init(.database(.notADatabase))
      case SQLITE_BUSY, SQLITE_LOCKED: self.init(.database(.locked))
      case SQLITE_CORRUPT: self.init(.database(.damaged(location: "", words: words)))
      case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_FULL, SQLITE_PERM, SQLITE_AUTH, SQLITE_READONLY:
        self.init(.file(.system(words)))
      default: self.init(.database(.refused(location: "", words: words)))
      }
    }

    /// Returns the name of the function or table that a definition may not use; nil for another message. Names from the file may be parts of
    /// a message, and contain any words.
    ///
    ///     unsafe use of load_extension()
    ///     malformed database schema (t) - unsafe use of load_extension()
    private static func untrustedName(in words: String) -> String? {
      var message = words[...]
      if words.hasPrefix("malformed database schema (") {
        let parts = words.split(separator: ") - ", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        message = parts[1]
      }
      let beginning = "unsafe use of "
      guard message.hasPrefix(beginning) else { return nil }
      return String(message.dropFirst(beginning.count))
    }
  }

  /// Returns true for the name of a JSON function or operator, also with the parentheses of a message.
  private func isJSONFunction(_ name: String) -> Bool { name.hasPrefix("json") || name.hasPrefix("->") }

  /// A check of the functions and tables of a view, while SQLite prepares a statement that uses it.
  private final class ViewCheck {
    private let allowedFunctions: Set<SQLiteName>
    /// The names of tables and views in the file that may look like those of PRAGMA statements.
    var tables: Set<SQLiteName> = []
    /// The name of the last function or table that was refused.
    var refusedName: String?

    init(allowing functions: Set<SQLiteName>) { allowedFunctions = functions }

    func allows(function name: String) -> Bool {
      guard !allowedFunctions.contains(SQLiteName(name)) else { return true }
      refusedName = "\(name)()"
      return false
    }

    /// Returns false for the table of a PRAGMA statement. SQLite itself makes these tables if a statement names them, unless the file has
    /// one with the name.
    func allows(table name: String) -> Bool {
      guard SQLiteName(name).hasPrefix("pragma_"), !tables.contains(SQLiteName(name)) else { return true }
      refusedName = "virtual table \"\(name)\""
      return false
    }
  }

  /// Tells SQLite if a statement may call a function, which is the second name, or read a table, which is the first one.
  @c private func checkView(
    _ check: UnsafeMutableRawPointer?, _ action: Int32, _ first: UnsafePointer<CChar>?,
    _ second: UnsafePointer<CChar>?, _ database: UnsafePointer<CChar>?, _ view: UnsafePointer<CChar>?
  ) -> Int32 {
    guard let check = unsafe check else { return SQLITE_DENY }
    let viewCheck = unsafe Unmanaged<ViewCheck>.fromOpaque(check).takeUnretainedValue()
    let isAllowed =
      switch action {
      case SQLITE_FUNCTION: unsafe viewCheck.allows(function: second.map { unsafe String(cString: $0) } ?? "")
      case SQLITE_READ: unsafe viewCheck.allows(table: first.map { unsafe String(cString: $0) } ?? "")
      default: true
      }
    return isAllowed ? SQLITE_OK : SQLITE_DENY
  }

  /// A counter of the steps of SQLite's virtual machine, which stops it at a limit.
  private final class StepCount {
    static let stride: Int32 = 1000
    var limit = Int.max
    var count = 0

    /// Counts one stride of steps. Returns false if the limit is exceeded.
    func goesOn() -> Bool {
      count += Int(Self.stride)
      return count <= limit
    }
  }

  @c private func countSteps(_ counter: UnsafeMutableRawPointer?) -> Int32 {
    guard let counter = unsafe counter else { return 0 }
    return unsafe Unmanaged<StepCount>.fromOpaque(counter).takeUnretainedValue().goesOn() ? 0 : 1
  }

  /// A statement with its current row. Values are borrowed from SQLite and valid until the next step.
  @safe
  struct SQLiteStatement: ~Copyable {
    private let handle: OpaquePointer
    private let connection: SQLiteConnection
    /// The number of columns in a row.
    let columnCount: Int

    @unsafe
    fileprivate init(_ handle: OpaquePointer, of connection: SQLiteConnection) {
      unsafe self.handle = unsafe handle
      self.connection = connection
      columnCount = Int(unsafe sqlite3_column_count(handle))
    }

    deinit {
      connection.enter()
      _ = unsafe sqlite3_finalize(handle)
      connection.leave()
    }

    /// Advances to the next row. Returns false if there are no more rows.
    func step() throws(FerryError) -> Bool {
      connection.enter()
      defer { connection.leave() }
      switch unsafe sqlite3_step(handle) {
      case SQLITE_ROW: return true
      case SQLITE_DONE: return false
      case let code: throw connection.error(code)
      }
    }

    /// The size that counts for each run of a statement in bytes, so that a trigger may take some steps for a small row.
    private static let bytesOfRun = 1000

    /// Resets the statement, so that it can be run again.
    func reset() {
      connection.enter()
      defer { connection.leave() }
      _ = unsafe sqlite3_reset(handle)
      connection.note(addedBytes: Self.bytesOfRun)
    }

    // MARK: Columns

    /// Adds the size of names that are read with a row.
    func note(readBytes count: Int) throws(FerryError) { try connection.note(readBytes: count) }

    /// Returns the name of a column.
    func name(_ column: Int) -> String {
      connection.enter()
      defer { connection.leave() }
      return unsafe sqlite3_column_name(handle, Int32(column)).map { unsafe String(cString: $0) } ?? ""
    }

    /// Returns the declared type of a column as written, or nil for a column without one and for an
    /// expression.
    func declaredType(_ column: Int) -> String? {
      connection.enter()
      defer { connection.leave() }
      return unsafe sqlite3_column_decltype(handle, Int32(column)).map { unsafe String(cString: $0) }
    }

    /// Returns the kind of the current row's value in a column.
    func kind(_ column: Int) -> SQLiteKind {
      connection.enter()
      defer { connection.leave() }
      return switch unsafe sqlite3_column_type(handle, Int32(column)) {
      case SQLITE_INTEGER: .integer
      case SQLITE_FLOAT: .real
      case SQLITE_TEXT: .text
      case SQLITE_BLOB: .blob
      default: .null
      }
    }

    /// Returns the integer in a column.
    func integer(_ column: Int) -> Int64 {
      connection.enter()
      defer { connection.leave() }
      return unsafe sqlite3_column_int64(handle, Int32(column))
    }

    /// Returns the real in a column.
    func real(_ column: Int) -> Double {
      connection.enter()
      defer { connection.leave() }
      return unsafe sqlite3_column_double(handle, Int32(column))
    }

    /// Calls a function with the bytes of the text or blob in a column. Text is UTF-8 if the file is valid.
    func withBytes<R>(
      _ column: Int, _ body: (Span<UInt8>) throws(FerryError) -> R
    ) throws(FerryError) -> R {
      guard connection.hasGate else { return try withBorrowedBytes(column, body) }
      // The function must not run inside the gate, and outside of it the bytes may go at any time.
      let bytes = try withBorrowedBytes(column) { bytes throws(FerryError) in [UInt8](copying: bytes) }
      return try body(bytes.span)
    }

    /// Calls a function with the bytes in a column inside the gate.
    private func withBorrowedBytes<R>(
      _ column: Int, _ body: (Span<UInt8>) throws(FerryError) -> R
    ) throws(FerryError) -> R {
      connection.enter()
      defer { connection.leave() }
      let isText = kind(column) == .text
      let text = isText ? unsafe sqlite3_column_text(handle, Int32(column)) : nil
      let start =
        isText
        ? unsafe text.map { unsafe UnsafeRawPointer($0) } : unsafe sqlite3_column_blob(handle, Int32(column))
      let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
      try connection.note(readBytes: count)
      guard let start = unsafe start else { return try body(Span()) }
      return try body(
        unsafe Span(_unsafeStart: start.assumingMemoryBound(to: UInt8.self), count: count))
    }

    // MARK: Parameters

    /// Binds NULL to a parameter. Parameters are counted from 1.
    func bindNull(_ parameter: Int) throws(FerryError) {
      connection.enter()
      defer { connection.leave() }
      try check(unsafe sqlite3_bind_null(handle, Int32(parameter)))
    }

    func bind(_ parameter: Int, _ value: Int64) throws(FerryError) {
      connection.enter()
      defer { connection.leave() }
      try check(unsafe sqlite3_bind_int64(handle, Int32(parameter), value))
    }

    func bind(_ parameter: Int, _ value: Double) throws(FerryError) {
      connection.enter()
      defer { connection.leave() }
      try check(unsafe sqlite3_bind_double(handle, Int32(parameter), value))
    }

    func bind(_ parameter: Int, text: Span<UInt8>) throws(FerryError) {
      connection.enter()
      defer { connection.leave() }
      connection.note(addedBytes: text.count)
      // An empty buffer may have a null address, which would bind NULL.
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

    func bind(_ parameter: Int, blob: Span<UInt8>) throws(FerryError) {
      connection.enter()
      defer { connection.leave() }
      connection.note(addedBytes: blob.count)
      guard blob.count > 0 else {
        return try check(unsafe sqlite3_bind_zeroblob(handle, Int32(parameter), 0))
      }
      let code = unsafe blob.withUnsafeBytes { bytes in
        unsafe sqlite3_bind_blob64(
          handle, Int32(parameter), bytes.baseAddress, UInt64(bytes.count), Self.copied)
      }
      try check(code)
    }

    private func check(_ code: Int32) throws(FerryError) {
      guard code == SQLITE_OK else { throw connection.error(code) }
    }

    /// `SQLITE_TRANSIENT`, which makes SQLite copy the bound bytes, because they are borrowed.
    private static var copied: sqlite3_destructor_type? {
      unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
    }
  }
#endif
