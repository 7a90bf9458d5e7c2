extension SQLiteConnection {
  /// The size of a file in bytes beyond which indexes are not compared with the rows of their tables, because that takes many accesses to
  /// pages in no order.
  private static let mostBytesOfIndexCheck = 1 << 28

  /// Throws if pages of the database are damaged, also those of indexes, if an index differs from its table, or if a value is missing in a
  /// column that must have one (`NOT NULL`).
  ///
  /// - Parameters:
  ///   - tables: All tables of the database.
  ///   - byteCount: The size of the file.
  ///   - mostVisits: The maximum product of the number of checks of single tables and the number of tables: SQLite visits all tables for
  ///     each check, and does not count these visits among its steps.
  /// - Returns: The names of the tables that were not checked, apart from virtual tables.
  func checkIntegrity(
    of tables: [SQLiteTable], byteCount: Int, mostVisits: Int = 16_000_000
  ) throws(FerryError) -> [String] {
    // SQLite leaves out the CHECK constraints of a database that is opened for reading only, but not those of a copy.
    try execute("PRAGMA ignore_check_constraints = ON")
    let check = byteCount > Self.mostBytesOfIndexCheck ? "quick_check" : "integrity_check"
    let mostTables = mostVisits / max(tables.count, 1)
    do throws(FerryError) {
      // SQLite leaves out the virtual tables, whose modules a connection for reading does not have.
      if try isChecked(by: "\(check)(1)") { return [] }
    } catch {
      // Only the check of a single table tells which one is damaged. It does not find damage between the tables.
      do throws(FerryError) {
        _ = try checkEach(of: tables, by: check, upTo: mostTables)
      } catch let placed where placed.isDamage {
        throw placed
      } catch {}
      throw error
    }
    return try checkEach(of: tables, by: check, upTo: mostTables)
  }

  /// Checks tables one by one, up to a number of them. Returns the names of the others.
  private func checkEach(
    of tables: [SQLiteTable], by check: String, upTo most: Int
  ) throws(FerryError) -> [String] {
    var remaining = most
    var unchecked: [String] = []
    for table in tables where table.kind == .table {
      let mayBeChecked = remaining > 0 && !table.looksLikeNumber
      if mayBeChecked { remaining -= 1 }
      do throws(FerryError) {
        guard mayBeChecked, try isChecked(by: "\(check)(\(quotedName(table.name)))") else {
          unchecked.append(table.name)
          continue
        }
      } catch {
        throw error.placed(in: table)
      }
    }
    return unchecked
  }

  /// Throws the first problem that a PRAGMA statement for a check finds. Returns false if SQLite cannot check: a constraint or an index may
  /// need a function or a collation that only the app defines.
  private func isChecked(by pragma: String) throws(FerryError) -> Bool {
    do throws(FerryError) {
      try self.check(by: pragma)
      return true
    } catch {
      guard error.isRefused else { throw error }
      return false
    }
  }

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
  /// True if the database is damaged.
  fileprivate var isDamage: Bool { if case .database(.damaged) = reason { true } else { false } }

  /// True if SQLite has rejected a statement.
  fileprivate var isRefused: Bool {
    switch reason {
    case .database(.refused), .database(.untrusted): true
    default: false
    }
  }
}
