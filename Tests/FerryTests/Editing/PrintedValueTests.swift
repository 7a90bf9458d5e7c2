import Foundation
import TestSupport
import Testing

@testable import Ferry

/// Sets what `get` prints of every value of a file, and finds what that changes.
private struct PrintedValues {
  let bytes: [UInt8]
  let options: EditableFile.Options
  private let file: EditableFile
  /// The number of values that were set.
  private(set) var count = 0
  /// The paths whose values changed the file, or were refused.
  private(set) var wrong: [String] = []

  init(_ bytes: [UInt8], representation: Representation = .plain) throws(FerryError) {
    var options = EditableFile.Options()
    options.representation = representation
    (self.bytes, self.options) = (bytes, options)
    file = try EditableFile(bytes, options: options)
  }

  /// Visits the values of the file, `stride` apart.
  mutating func run(stride: Int = 1) throws {
    guard file.isEditable else { return }
    var number = 0
    for (path, value) in try file.value(at: ValuePath()).placedValues {
      if case .object = value { continue }
      number += 1
      guard number % stride == 0, let text = try printed(path) else { continue }
      count += 1
      do throws(FerryError) {
        try file.set(text: text, at: path)
        if !file.list.isUnchanged, try file.bytes() != bytes { wrong.append("\(path)") }
        if let type = Self.type(of: text), type == .json, try file.value(at: path).scalar != .string(text) {
          try file.set(text: text, as: type, at: path)
          if !file.list.isUnchanged, try file.bytes() != bytes { wrong.append("\(path) (JSON)") }
        }
      } catch {
        wrong.append("\(path): \(error)")
      }
    }
  }

  private static func type(of text: String) -> TextType? {
    text.hasPrefix("{") || text.hasPrefix("[") ? .json : nil
  }

  /// Returns the output of `get` for a path, or nil if it fails.
  private func printed(_ path: ValuePath) throws -> String? {
    let output = MemoryOutput()
    guard (try? file.writeText([path], to: output)) != nil else { return nil }
    return String(decoding: output.bytes.dropLast(), as: UTF8.self)
  }
}

@Suite struct `Sets to printed values` {
  @Test(arguments: [Format.archive, .xmlArchive, .binaryPropertyList, .xmlPropertyList, .json])
  func `A set to the printed value changes nothing`(_ format: Format) throws {
    let output = MemoryOutput()
    try Conversion(to: format).write(
      to: output, losses: LossReport(), isArchived: format.isArchive
    ) { sink throws(FerryError) in
      try Self.values(objects: format.isArchive).replay(into: sink)
    }
    var printed = try PrintedValues(output.bytes)
    try printed.run()
    #expect(printed.wrong.isEmpty, "\(printed.wrong.joined(separator: "\n"))")
    #expect(printed.count > 10)
    guard format.isArchive else { return }
    var raw = try PrintedValues(output.bytes, representation: .raw)
    try raw.run()
    #expect(raw.wrong.isEmpty, "\(raw.wrong.joined(separator: "\n"))")
  }

  private static func values(objects: Bool) -> Value {
    var value: [String: Value] = [
      "real": 1.0, "small": .single(0.1), "text": "null", "empty": "", "lines": "a\nb", "flag": true,
      "date": .date(secondsSince2001: 0.5), "data": .data([0, 1]), "list": [1, 2.0, "3", ["a": "b"]],
      "$key": 5, "brace": "{1}",
    ]
    if objects {
      func object(_ name: String, _ content: Value) -> Value {
        .object(ObjectValue(ClassCatalog.standard.type(named: name) ?? ObjectClass(name), content: content))
      }
      value["set"] = .set(["a", 2, .data([1])])
      value["mutable"] = object("NSMutableString", "abc")
      value["null"] = Value.null
      value["list"] = .object(
        ObjectValue(.mutableArray, content: [.date(secondsSince2001: 7.25), .data([9]), "x"]))
      value["color"] = object(
        "NSColor",
        ["color": "#0.1 0.333 0.9999 0.5", "colorSpace": "deviceRGB"])
      value["kit"] = object("UIColor", ["color": "#0.1 0.333 0.9999 0.5", "text": "0.1 0.333 1 0.5"])
      value["white"] = object("NSColor", ["colorSpace": "calibratedWhite", "components": [0.33, 0.8]])
      value["url"] = object("NSURL", "https://a.org")
      value["price"] = .number("2.20")
      value["frame"] = object("NSValue", ["x": 1, "y": 2.5, "width": 3, "height": 4])
    }
    var entries = KeyedValues()
    for (key, content) in value.sorted(by: { $0.key < $1.key }) { entries[.string(key)] = content }
    return .dictionary(entries)
  }

  /// The colors of archives at hand are set whole and by their notation.
  @Test func `A set to a printed color keeps a color that eight bits do not hold`() throws {
    let type = ObjectClass("NSColor")
    for numbers in [[0.33, 0.8], [0.5], [0.123456789]] as [Value] {
      let bytes = try Archived.bytes([
        "a": .object(ObjectValue(type, content: ["colorSpace": "deviceWhite", "components": numbers])),
        "b": .object(ObjectValue(type, content: ["colorSpace": "deviceWhite", "components": [1]])),
      ])
      guard case .string(let color) = try Edited.value(bytes, "a.color") else {
        Issue.record("no color")
        continue
      }
      let copied = try Edited.set(bytes, "b", color)
      #expect(try Edited.value(copied, "b.components") == numbers)
      #expect(try Edited.value(copied, "b.color") == .string(color))
    }
  }

  /// A sample of the files, so that it takes seconds; `FERRY_ALL_VALUES` has all values of 300 files set.
  @Test func `A set to the printed value changes nothing in real files`() throws {
    let isFull = ProcessInfo.processInfo.environment["FERRY_ALL_VALUES"] != nil
    let names = try Corpus.files(under: "keyed") + Corpus.files(under: "plist")
    let step = max(1, names.count / (isFull ? 900 : 60))
    var (files, values) = (0, 0)
    var wrong: [String] = []
    for (index, name) in names.enumerated() where index % step == 0 && files < 300 {
      let bytes = try Corpus.bytes(name)
      guard bytes.count < (isFull ? 200_000 : 20_000), var printed = try? PrintedValues(bytes) else {
        continue
      }
      guard (try? printed.run(stride: isFull ? 1 : 7)) != nil else { continue }
      (files, values) = (files + 1, values + printed.count)
      wrong += printed.wrong.map { "\(name) \($0)" }
    }
    print("\(values) values of \(files) files")
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(40).joined(separator: "\n"))")
  }
}
