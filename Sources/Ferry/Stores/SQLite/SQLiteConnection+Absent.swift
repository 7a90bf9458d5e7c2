#if !SQLite
  /// The replacement of databases in a build without the trait `SQLite`: opening one fails.
  final class SQLiteConnection {
    enum Access { case reading, readingUnchanging, recovering }
    init(
      reading path: String, _ access: Access = .reading, fileSize: Int, budget: Budget
    ) throws(Failure) {
      throw Failure(.database(.notBuiltIn))
    }
    init(creating path: String) throws(Failure) { throw Failure(.database(.notBuiltIn)) }
    init(changing path: String) throws(Failure) { throw Failure(.database(.notBuiltIn)) }
    func becomeCopy(of other: SQLiteConnection) throws(Failure) { throw Failure(.database(.notBuiltIn)) }
    func execute(_ sql: String) throws(Failure) { throw Failure(.database(.notBuiltIn)) }
    func statement(_ sql: String) throws(Failure) -> SQLiteStatement {
      throw Failure(.database(.notBuiltIn))
    }
  }

  /// The replacement of statements, of which no instance exists.
  struct SQLiteStatement: ~Copyable {
    private init() {}
    var columnCount: Int { 0 }
    func step() throws(Failure) -> Bool { false }
    func reset() {}
    func name(_ column: Int) -> String { "" }
    func declaredType(_ column: Int) -> String? { nil }
    func kind(_ column: Int) -> SQLiteKind { .null }
    func integer(_ column: Int) -> Int64 { 0 }
    func real(_ column: Int) -> Double { 0 }
    func withBytes<R>(
      _ column: Int, _ body: (Span<UInt8>) throws(Failure) -> R
    ) throws(Failure) -> R { try body(Span()) }
    func bindNull(_ parameter: Int) throws(Failure) {}
    func bind(_ parameter: Int, _ value: Int64) throws(Failure) {}
    func bind(_ parameter: Int, _ value: Double) throws(Failure) {}
    func bind(_ parameter: Int, text: Span<UInt8>) throws(Failure) {}
    func bind(_ parameter: Int, blob: Span<UInt8>) throws(Failure) {}
  }
#endif
