import Ferry

// The conversion of a file with several tables to a file for each of them.

extension ConversionWork {
  /// Writes each table of a database to a file of its own: `library.people.csv` beside `library.csv`, `library.people.csv.gz` beside
  /// `library.csv.gz`. All tables are of one state of the database.
  func convert(
    _ job: Batch.Job, tablesOf tableInput: TableInput, to path: String, replacing: Bool,
    _ conversion: Conversion
  ) throws(NamedError) -> Conversion.Report {
    let input = job.input
    let ending = "." + target.fileExtension + compression.suffix
    let stem = path.dropLast(ending.count)
    let outputs = tableInput.tables.map { table in "\(stem).\(Self.fileName(ofTable: table))\(ending)" }
    // No file is written if one of them exists, or is that of another table.
    for output in outputs {
      try claims.claim(output, for: input, isOfTable: true)
      try checkFree(output, replacing: replacing)
    }
    // No file is replaced if a table cannot be read.
    if !isDryRun, outputs.contains(where: { Folder.hasSomething(at: $0) }) {
      for table in tableInput.tables {
        var check = conversion.converting(table: table)
        check.whenRecordFails = nil
        try NamedError.naming(input) { () throws(FerryError) in
          try Self.placing(inTable: table) { () throws(FerryError) in
            _ = try check.convert(tableInput.open(), named: input, to: NullOutput())
          }
        }
      }
    }
    var all: Conversion.Report?
    for (table, output) in zip(tableInput.tables, outputs) {
      var single = conversion.converting(table: table)
      single.reading.reportsPartsOutsideTables = all == nil
      let file = try NamedError.naming(input) { () throws(FerryError) in try tableInput.open() }
      let job = Batch.Job(
        input: input, destination: .file(output, replacing: replacing), found: job.found,
        recordErrors: job.recordErrors, inputState: job.inputState)
      let report = try writing(job) { [single] output, outputName throws(FerryError) in
        try Self.placing(inTable: table) { () throws(FerryError) in
          (try single.convert(file, named: input, to: output, named: outputName), [])
        }
      }.report
      all = all?.adding(report) ?? report
    }
    guard let all else { throw NamedError(name: input, error: FerryError(.file(.empty))) }
    return all
  }

  /// Calls a function that converts one of several tables, and adds the name of the table to the path of a row in its error.
  private static func placing<R>(
    inTable table: String, _ body: () throws(FerryError) -> R
  ) throws(FerryError) -> R {
    do throws(FerryError) { return try body() } catch {
      throw error.path.steps.isEmpty ? error : error.placed(under: .key(table))
    }
  }

  /// Returns the name of a table with the characters that a file name cannot have as `_`.
  private static func fileName(ofTable name: String) -> String {
    String(name.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
  }
}

/// A file whose tables are converted one by one. If it is a database, it is opened once.
struct TableInput {
  private let path: String
  private let database: DatabaseInput?
  /// The names of the tables; empty if the file does not have several.
  let tables: [String]

  init(_ path: String, _ conversion: Conversion) throws(NamedError) {
    self.path = path
    (database, tables) = try NamedError.naming(path) { () throws(FerryError) in
      let mayBeDatabase = conversion.reading.format?.isDatabase ?? true
      let database =
        mayBeDatabase
        ? try DatabaseInput(FileInput(path: path), budget: conversion.reading.budget) : nil
      let input: any ByteInput = if let database { database } else { try FileInput(path: path) }
      return (database, try conversion.tableNames(of: input, named: path))
    }
  }

  /// Returns an input for the conversion of a table.
  func open() throws(FerryError) -> any ByteInput {
    if let database { database } else { try FileInput(path: path) }
  }
}

extension Conversion {
  /// Returns the conversion of one table.
  fileprivate func converting(table: String) -> Conversion {
    var conversion = self
    conversion.reading.table = table
    return conversion
  }
}
