/// Sends a database: the rows of one table, or all its tables by name.
///
///     [{"name": "Ada"}, …]                                  one table, or the one that is asked for
///     {"people": [{"name": "Ada"}, …], "places": […]}       several
///
/// Tables come in the order in which they were made. Views are sent only when they are asked for, because what they show
/// is in the tables. A Core Data store has its entities instead of its tables, unless it is to be shown as it is stored.
struct StoreSource {
  private let file: SQLiteFile
  private let conversion: Conversion
  private let losses: LossReport

  init(_ file: SQLiteFile, _ conversion: Conversion, _ losses: LossReport) {
    self.file = file
    self.conversion = conversion
    self.losses = losses
  }

  func send(into sink: any ValueSink, schema: Schema?) throws(Failure) {
    // One state of the database, whoever changes it meanwhile.
    try file.connection.execute("BEGIN")
    let tables = try file.connection.tables()
    if let name = conversion.table {
      return try send(try table(named: name, among: tables), into: sink)
    }
    let lists = tables.filter { $0.kind == .table && !$0.isInternal }
    for table in tables where table.kind == .virtual { losses.add(.virtualTable, path: ValuePath([.key(table.name)])) }
    if lists.count == 1 { return try send(lists[0], into: sink) }
    if let schema { return try send(try table(of: schema, among: lists), into: sink) }
    try sink.beginDictionary(count: lists.count)
    for table in lists {
      let name = Array(table.name.utf8)
      try sink.key(Text(name.span))
      try send(table, into: sink)
    }
    try sink.endDictionary()
  }

  private func send(_ table: SQLiteTable, into sink: any ValueSink) throws(Failure) {
    let statement: SQLiteStatement
    do throws(Failure) {
      statement = try file.connection.statement(table.rows)
    } catch {
      throw error.placed(inTable: table.name)
    }
    var rows = SQLiteRows(statement, of: table.name, budget: conversion.budget, losses: losses)
    try rows.send(into: sink)
  }

  /// The table or view of a name; SQLite does not tell capitals from small letters.
  private func table(named name: String, among tables: [SQLiteTable]) throws(Failure) -> SQLiteTable {
    let found =
      tables.first { $0.name == name } ?? tables.first { $0.name.lowercased() == name.lowercased() }
    guard let found else {
      throw Failure(.database(.unknownTable(name, known: tables.filter { !$0.isInternal }.map(\.name))))
    }
    guard found.kind != .virtual else { throw Failure(.database(.virtualTable(found.name))) }
    return found
  }

  /// The table that has a schema's records, by its name.
  private func table(of schema: Schema, among tables: [SQLiteTable]) throws(Failure) -> SQLiteTable {
    let names = schema.tableNames
    guard let found = tables.first(where: { names.contains($0.name.lowercased()) }) else {
      throw Failure(.database(.whichTable(known: tables.map(\.name))))
    }
    return found
  }
}

extension Schema {
  /// What the table of such records may be called, in small letters.
  var tableNames: Set<String> {
    [collectionElement.lowercased(), record.element.lowercased(), record.className.lowercased()]
  }
}
