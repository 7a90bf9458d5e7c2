import Foundation
import TestSupport
import Testing

@testable import Ferry

/// A database in the test's temporary directory, made by these statements.
@discardableResult
func makeDatabase(_ name: String = "test.db", _ statements: String...) throws -> String {
  try makeDatabase(name, statements)
}

func makeDatabase(_ name: String, _ statements: [String]) throws -> String {
  let path = TemporaryDirectory.current.path(name)
  let connection = try SQLiteConnection(creating: path)
  for statement in statements { try connection.execute(statement) }
  return path
}

/// The value of a database, or of one table of it.
func read(_ path: String, table: String? = nil, representation: Representation = .plain) throws -> Value {
  var options = ReadingOptions()
  options.table = table
  options.representation = representation
  let builder = ValueBuilder()
  try options.read(FileInput(path: path), into: builder)
  return try builder.result()
}

/// A value as a database, and what it lost.
func write(
  _ value: Value, table: String? = nil, schema: Schema? = nil
) throws -> (bytes: [UInt8], losses: [String]) {
  var conversion = Conversion(to: .sqlite)
  conversion.writing.table = table
  conversion.reading.schema = schema
  let result = try conversion.convert(Archived.bytes(value))
  let places = result.report.losses.listed
  return (result.bytes, places.map { $0.path.isEmpty ? "\($0.kind)" : "\($0.path): \($0.kind)" })
}

/// The value of a database in memory.
func read(_ bytes: [UInt8], table: String? = nil) throws -> Value {
  var options = ReadingOptions()
  options.table = table
  let builder = ValueBuilder()
  try options.read(MemoryInput(bytes), into: builder)
  return try builder.result()
}
