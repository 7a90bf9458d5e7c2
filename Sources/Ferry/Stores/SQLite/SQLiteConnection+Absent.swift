#if !SQLite
  /// The replacement of database connections in builds without the trait `SQLite`. Opening a database throws.
  final class SQLiteConnection {
    enum Access { case reading, readingUnchanging, recovering }
    enum DefinitionFunctions { case innocuous, needed }
    init(
      reading path: String, _ access: Access = .reading, fileSize: Int, budget: Budget
    ) throws(FerryError) {
      throw FerryError(.database(.notBuiltIn))
    }
    init(creating path: String) throws(FerryError) { throw FerryError(.database(.notBuiltIn)) }
    init(changing path: String, budget: Budget) throws(FerryError) {
      throw FerryError(.database(.notBuiltIn))
    }
    func becomeCopy(of other: SQLiteConnection) throws(FerryError) {
      throw FerryError(.database(.notBuiltIn))
    }
    var modules: Set<SQLiteName> { [] }
    func contents() throws(FerryError) -> [UInt8] { throw FerryError(.database(.notBuiltIn)) }
    func beginCounting() {}
    func beginReading() throws(FerryError) { throw FerryError(.database(.notBuiltIn)) }
    func limitDefinitions(to functions: DefinitionFunctions) throws(FerryError) {
      throw FerryError(.database(.notBuiltIn))
    }
    func readDefinitions() throws(FerryError) { throw FerryError(.database(.notBuiltIn)) }
    func execute(_ sql: String) throws(FerryError) { throw FerryError(.database(.notBuiltIn)) }
    func statement(_ sql: String) throws(FerryError) -> SQLiteStatement {
      throw FerryError(.database(.notBuiltIn))
    }
  }

  /// The replacement of statements. No instance of it exists.
  struct SQLiteStatement: ~Copyable {
    private init() {}
    var columnCount: Int { 0 }
    func step() throws(FerryError) -> Bool { false }
    func reset() {}
    func note(readBytes count: Int) throws(FerryError) {}
    func name(_ column: Int) -> String { "" }
    func declaredType(_ column: Int) -> String? { nil }
    func kind(_ column: Int) -> SQLiteKind { .null }
    func integer(_ column: Int) -> Int64 { 0 }
    func real(_ column: Int) -> Double { 0 }
    func withBytes<R>(
      _ column: Int, _ body: (Span<UInt8>) throws(FerryError) -> R
    ) throws(FerryError) -> R { try body(Span()) }
    func bindNull(_ parameter: Int) throws(FerryError) {}
    func bind(_ parameter: Int, _ value: Int64) throws(FerryError) {}
    func bind(_ parameter: Int, _ value: Double) throws(FerryError) {}
    func bind(_ parameter: Int, text: Span<UInt8>) throws(FerryError) {}
    func bind(_ parameter: Int, blob: Span<UInt8>) throws(FerryError) {}
  }
#endif
