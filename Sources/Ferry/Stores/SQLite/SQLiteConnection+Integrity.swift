extension SQLiteConnection {
  /// The size of a file in bytes beyond which indexes are not compared with the rows of their tables, because that takes many accesses to
  /// pages in no order.
  private static let mostBytesOfIndexCheck = 1 << 28

  /// Throws if pages of the database are damaged, also those of indexes, if an index differs from its table, or if rows break constraints.
  ///
  /// - Parameters:
  ///   - tables: All tables of the database.
  ///   - byteCount: The size of the file.
  func checkIntegrity(of tables: [SQLiteTable], byteCount: Int) throws(FerryError) {
    let check = byteCount > Self.mostBytesOfIndexCheck ? "quick_check" : "integrity_check"
    // New versions of SQLite run the modules of virtual tables, unless the check is that of another table.
    if !tables.contains(where: { $0.kind == .virtual }) {
      do throws(FerryError) { return try self.check(by: "\(check)(1)") } catch {
        // A constraint or an index may need a function or a collation that only the app defines.
        guard error.isRefused else { throw error }
      }
    }
    for table in tables where table.kind == .table && !table.looksLikeNumber {
      do throws(FerryError) { try self.check(by: "\(check)(\(quotedName(table.name)))") } catch {
        guard error.isRefused else { throw error.placed(inTable: table.name) }
      }
    }
  }

  /// Throws the first problem that a PRAGMA statement for a check finds.
  private func check(by pragma: String) throws(FerryError) {
    let problems = try statement("PRAGMA \(pragma)")
    guard try problems.step() else { return }
    let words = try problems.text(0)
    guard !words.equals("ok") else { return }
    let lines = words.split(separator: "\n").filter { !$0.hasPrefix("***") }
    throw FerryError(
      .database(.damaged(location: "", words: lines.first.map { String($0) } ?? words)))
  }
}

extension SQLiteTable {
  /// True if a PRAGMA statement might take the name for a number of problems.
  fileprivate var looksLikeNumber: Bool {
    name.utf8.first.map { "+-0123456789".utf8.contains($0) } ?? true
  }
}

extension FerryError {
  /// True if SQLite has rejected a statement.
  fileprivate var isRefused: Bool { if case .database(.refused) = reason { true } else { false } }
}
