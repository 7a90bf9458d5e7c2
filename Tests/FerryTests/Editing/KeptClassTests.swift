import TestSupport
import Testing

@testable import Ferry

/// Values in the place of objects of classes that Ferry knows.
@Suite struct `Objects keep their classes` {
  private static let refused: [(String, Value)] = [
    ("id", "nonsense"), ("id", 12), ("saved", "yesterday"), ("saved", 12), ("saved", ["a"]), ("price", "abc"),
    ("price", true), ("page", "http://a b/"), ("page", 5), ("frame", "wide"), ("color", "no color"),
    ("color", 7),
    ("indexes", "x"), ("text", "x"),
  ]

  @Test(arguments: refused) func `A value of another class is refused, and nothing changes`(
    path: String, value: Value
  )
    throws
  {
    let bytes = try `Edits of decoded forms`.archive()
    let archive = try KeyedArchive(bytes)
    let error = #expect(throws: FerryError.self) { try archive.set(value, at: ValuePath(parsing: path)) }
    let cannotPut = if case .path(.cannotPut)? = error?.reason { true } else { false }
    // The text of a URL that is not valid has an error of its own.
    #expect(cannotPut || value == "http://a b/", "\(path): \(error.map { "\($0)" } ?? "")")
    #expect(try archive.edited().bytes == bytes)
  }

  @Test(
    arguments: [
      ("id", "01234567-89AB-CDEF-0123-456789ABCDEF", "01234567-89AB-CDEF-0123-456789ABCDEF"),
      ("saved", "2001-01-01T00:00:01Z", .date(secondsSince2001: 1)),
      ("saved", .date(secondsSince2001: 5), .date(secondsSince2001: 5)), ("price", "9.90", .number("9.90")),
      ("price", 12, 12), ("page", "https://example.org/b", "https://example.org/b"),
    ] as [(String, Value, Value)])
  func `A value of the class, or its text, becomes an object of the class`(
    path: String, value: Value, found: Value
  )
    throws
  {
    let (archive, path) = (try KeyedArchive(`Edits of decoded forms`.archive()), try ValuePath(parsing: path))
    func type(in archive: KeyedArchive) throws -> String? {
      if case .object(let object) = try archive.value(at: path) { object.type.name } else { nil }
    }
    let before = try type(in: archive)
    try archive.set(value, at: path)
    #expect(try archive.value(at: path).scalar == found)
    #expect(try type(in: KeyedArchive(archive.edited().bytes)) == before)
  }

  @Test func `The message names the class, its values and the way to replace the object`() throws {
    let archive = try KeyedArchive(`Edits of decoded forms`.archive())
    let error = #expect(throws: FerryError.self) { try archive.set("yesterday", at: "saved") }
    #expect(
      error?.message
        == "cannot put \"yesterday\" here: an object of the class NSDate keeps its class, and is a date such as "
        + "2014-06-01T09:30:00Z (a text with a type, or an object with another class, replaces it) (at saved)"
    )
  }

  @Test func `Null, a text with a type, and an object with another class replace an object`() throws {
    let archive = try KeyedArchive(`Edits of decoded forms`.archive())
    try archive.set(text: "yesterday", as: .string, at: "saved")
    #expect(try archive.value(at: "saved") == "yesterday")
    try archive.set(.null, at: "id")
    #expect(try archive.value(at: "id") == .null)
    try archive.set(.object(ObjectValue(.date, content: .date(secondsSince2001: 1))), at: "page")
    #expect(try archive.value(at: "page").scalar == .date(secondsSince2001: 1))
    #expect(throws: FerryError.self) { try archive.set(text: "x", at: "price") }
    try archive.set(text: "3.5", at: "price")
    #expect(
      try archive.value(at: "price").scalar == .number("3.5") || archive.value(at: "price").scalar == 3.5)
  }
}
