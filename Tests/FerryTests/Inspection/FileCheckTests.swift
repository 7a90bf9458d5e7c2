import Ferry
import Testing

@Suite struct `Checks of files` {
  @Test func `A file with another encoding and delimiter than those of Ferry converts back`() throws {
    var check = FileCheck()
    check.provesRoundTrip = true
    check.reading.encoding = "iso-8859-1"
    check.reading.csv.delimiter = UInt8(ascii: "/")
    let bytes = Array("name/note\nAda/caf".utf8) + [0xe9] + Array(", tea\n".utf8)
    #expect(try check.result(of: MemoryInput(bytes), named: "a.csv").roundTrip == .values)
  }

  @Test(arguments: [
    #"{"$class":"Foo","abcdefgh":1,"abcdefgh0":2}"#,
    #"{"$class":"NSDecimalNumber","NS.exponent":-2,"NS.length":1,"NS.negative":false,"NS.compact":true,"NS.mantissa.bo":1,"#
      + #""NS.mantissa":{"$inline":{"$data":"lgAAAAAAAAAAAAAAAAAAAA=="}}}"#,
  ])
  func `An archive in XML comes back with equal values if only the order of the keys of its objects differs`(
    _ object: String
  ) throws {
    let text = #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\#(object)}}"#
    let archive = try Conversion(to: .xmlArchive).convert(Array(text.utf8)).bytes
    var check = FileCheck()
    check.provesRoundTrip = true
    let found = try check.result(of: MemoryInput(archive), named: nil).roundTrip
    #expect(found == .values || found == .bytes)
  }

  private static let tables: [(String, FileCheck.RoundTrip, @Sendable (inout CSVReadingOptions) -> Void)] = [
    ("a;n\nx;1\ny;2", .values, { $0.infersTypes = true }),
    ("a;n\nx;\n;\"{ \"\"b\"\": 2}\"\n", .values, { $0.infersTypes = true }),
    ("a,n\nx,1\ny,2", .values, { $0.hasHeader = false }),
    ("a,n\nx,1\ny,2", .values, { ($0.hasHeader, $0.infersTypes) = (false, true) }),
    ("a,n\nx,1\ny,2", .values, { ($0.columnNames, $0.infersTypes) = (["b", "m"], true) }),
    ("x,1\ny,2", .values, { ($0.columnNames, $0.hasHeader) = (["b", "m"], false) }),
    ("x,1\ny,2", .values, { ($0.columnNames, $0.hasHeader, $0.infersTypes) = (["b", "m"], false, true) }),
    ("a;b.c;b.d\nx;1;2", .values, { $0.nestsDottedColumns = true }),
    ("a;n\nx;1\n;2", .values, { $0.allowsRaggedRows = true }),
    // The missing cell comes back as an empty one.
    ("a;n\nx;1\ny", .differs, { $0.allowsRaggedRows = true }),
  ]

  @Test(arguments: tables.indices)
  func `CSV converts back with the options that say what its cells mean`(_ index: Int) throws {
    let (text, wanted, change) = Self.tables[index]
    var check = FileCheck()
    check.provesRoundTrip = true
    change(&check.reading.csv)
    #expect(try check.result(of: MemoryInput(Array(text.utf8)), named: "a.csv").roundTrip == wanted)
  }
}
