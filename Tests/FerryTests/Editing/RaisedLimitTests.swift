import TestSupport
import Testing

@testable import Ferry

/// Changes of files near the limits of a budget, and beyond the usual ones.
@Suite struct `Changes of deep files` {
  private static func options(depth: Int) -> EditableFile.Options {
    var options = EditableFile.Options()
    options.budget.depth = depth
    return options
  }

  private static func lists(_ levels: Int) -> String {
    String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
  }

  /// An XML property list with a file as the data `d`.
  private static func list(with data: [UInt8]) -> [UInt8] {
    let text = String(decoding: Base64.encode(data.span), as: UTF8.self)
    return Array("<plist version=\"1.0\"><dict><key>d</key><data>\(text)</data></dict></plist>".utf8)
  }

  @Test(arguments: [500, 600]) func `JSON that a raised limit allows changes the file inside data`(
    _ levels: Int
  )
    throws
  {
    let inner = try Conversion(to: .binaryPropertyList).convert(Array(#"{"a":1}"#.utf8)).bytes
    let file = try EditableFile(Self.list(with: inner), options: Self.options(depth: 2000))
    try file.set(text: "{\"b\":\(Self.lists(levels))}", as: .json, at: ValuePath(parsing: "d"))
    guard case .data(let bytes) = try file.value(at: ValuePath(parsing: "d")) else {
      Issue.record("the data has become another value")
      return
    }
    #expect(try Format.of(bytes) == .binaryPropertyList)
    #expect(try file.count(at: ValuePath(parsing: "d.b")) == 1)
  }

  @Test func `A file in data that is over the budget is not replaced`() throws {
    let bytes = Self.list(with: Array("{\"a\":\(Self.lists(600)),\"b\":1}".utf8))
    let changes: [(EditableFile) throws -> Void] = [
      { try $0.set(text: #"{"b":2}"#, as: .json, at: ValuePath(parsing: "d")) },
      { try $0.merge(["d": ["b": 2]]) },
      { try $0.merge(["d": ["b": .null]]) },
      { try $0.apply(JSONPatch(Array(#"[{"op":"add","path":"/d/b","value":2}]"#.utf8))) },
      { try $0.set(text: "2", at: ValuePath(parsing: "d.b")) },
    ]
    for (index, change) in changes.enumerated() {
      let file = try EditableFile(bytes)
      let error = #expect(throws: FerryError.self, "\(index)") { try change(file) }
      let isOverBudget =
        switch error?.reason {
        case .overBudget?, .path(.inPatch(_, .overBudget))?: true
        default: false
        }
      #expect(isOverBudget, "\(index): \(error?.message ?? "")")
      #expect(try file.bytes() == bytes)
      let raised = try EditableFile(bytes, options: Self.options(depth: 2000))
      try change(raised)
      guard case .data = try raised.value(at: ValuePath(parsing: "d")) else {
        Issue.record("change \(index) has replaced the data")
        continue
      }
    }
  }

  @Test func `A value that cannot be written has its path in a file deeper than the stack`() throws {
    let levels = 40_000
    let deep =
      String(repeating: "<array>", count: levels) + "<string>x</string>"
      + String(repeating: "</array>", count: levels)
    let text = "<plist version=\"1.0\"><dict><key>a</key>\(deep)<key>b</key><string>1</string></dict></plist>"
    let changes: [(String, (EditableFile, ValuePath) throws -> Void)] = [
      ("e", { try $0.insert(text: "\u{1}", at: $1) }), ("b", { try $0.set(text: "\u{1}", at: $1) }),
      ("e.f[1]", { file, _ in try file.insert(["f": ["x", "\u{1}"]], at: ValuePath([.key("e")])) }),
      ("e.\u{1}", { file, _ in try file.insert(["\u{1}": 5], at: ValuePath([.key("e")])) }),
    ]
    for (path, change) in changes {
      let path =
        path.hasPrefix("e.\u{1}") ? ValuePath([.key("e"), .key("\u{1}")]) : try ValuePath(parsing: path)
      let file = try EditableFile(Array(text.utf8), options: Self.options(depth: 1_000_000))
      try change(file, path)
      let error = #expect(throws: FerryError.self) { try file.bytes() }
      #expect(error?.path == path)
    }
  }

  @Test func `Columns with dots have a fixed limit`() throws {
    let name = String(repeating: "a.", count: 40_000) + "a"
    var options = Self.options(depth: 1_000_000)
    options.format = .csv
    options.csv.nestsDottedColumns = true
    let bytes = Array("x,\(name)\n1,2\n".utf8)
    let error = #expect(throws: FerryError.self) { try EditableFile(bytes, options: options) }
    #expect(error?.reason == .overBudget(.fixedDepth(4096)))
    let few = Array("x,\(String(repeating: "a.", count: 1000))a\n1,2\n".utf8)
    let file = try EditableFile(few, options: options)
    try file.set(text: "3", at: ValuePath(parsing: "[0].x"))
    #expect(try file.bytes() == Array("x,\(String(repeating: "a.", count: 1000))a\n3,2\n".utf8))
  }
}
