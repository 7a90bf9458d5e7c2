import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite struct `Edited files in other programs` {
  /// Real archives after a string was set, an element or an entry added, and one removed.
  private func edited() throws -> [(name: String, bytes: [UInt8])] {
    var files: [(String, [UInt8])] = []
    for folder in ["keyed/foundation", "keyed/peer", "keyed/macos", "keyed/carved", "keyed/imessage"] {
      for name in try Corpus.files(under: folder) {
        let bytes = try Corpus.bytes(name)
        guard bytes.count < 40_000, let file = try? EditableFile(bytes),
          file.format == .archive || file.format == .binaryPropertyList,
          let value = try? file.value(at: ValuePath()), let path = value.stringPaths.last
        else { continue }
        guard (try? file.set(text: "x-other:edited", at: path)) != nil else { continue }
        _ = try? file.insert(text: "x-other:new", as: .string, at: ValuePath(path.steps.dropLast() + [.end]))
        _ = try? file.insert(
          text: "7", as: .integer, at: ValuePath(path.steps.dropLast() + [.key("brand new")]))
        files.append((name, try file.bytes()))
      }
    }
    return files
  }

  @Test func `Python's plistlib opens edited files`() async throws {
    let files = try edited()
    #expect(files.count > 50)
    var input: [UInt8] = []
    for file in files { input += Array("\(file.bytes.count)\n".utf8) + file.bytes }
    let answer = try await Peer.python(
      """
      import plistlib, sys
      data = sys.stdin.buffer
      good = 0
      while True:
        line = data.readline()
        if not line: break
        value = plistlib.loads(data.read(int(line)))
        good += 1
      print(good)
      """, input: input)
    #expect(answer.succeeded, "\(answer.errors)")
    #expect(answer.text == "\(files.count)\n")
  }

  @Test func `Foundation's property lists open edited files`() throws {
    for file in try edited() {
      let list = try? unsafe PropertyListSerialization.propertyList(from: Data(file.bytes), format: nil)
      #expect(list != nil, "\(file.name)")
    }
  }

  @Test func `Foundation's unarchiver decodes the edited objects that it knows`() throws {
    let source: NSDictionary = [
      "name": "Ada Lovelace, countess", "list": ["one", "two"] as NSArray,
      "when": NSDate(timeIntervalSinceReferenceDate: 5),
      "page": NSURL(string: "https://example.org/a") as Any, "n": 3 as NSNumber,
    ]
    let archived = try NSKeyedArchiver.archivedData(withRootObject: source, requiringSecureCoding: true)
    let file = try EditableFile(Array(archived))
    for (path, text) in [
      ("name", "Grace"), ("list[1]", "zwei"), ("when", "2001-01-01T00:00:09Z"),
      ("page", "https://example.org/b"),
      ("n", "4"),
    ] { try file.set(text: text, at: ValuePath(parsing: path)) }
    try file.insert("three", at: ValuePath(parsing: "list[]"))
    try file.insert(["k": [1, 2]], at: ValuePath(parsing: "new"))
    try file.remove(at: ValuePath(parsing: "list[0]"))
    let decoded = try NSKeyedUnarchiver.unarchivedObject(
      ofClasses: [NSDictionary.self, NSArray.self, NSString.self, NSDate.self, NSURL.self, NSNumber.self],
      from: Data(try file.bytes()))
    let dictionary = try #require(decoded as? [String: Any])
    #expect(dictionary["name"] as? String == "Grace")
    #expect(dictionary["list"] as? [String] == ["zwei", "three"])
    #expect((dictionary["when"] as? Date)?.timeIntervalSinceReferenceDate == 9)
    #expect((dictionary["page"] as? URL)?.absoluteString == "https://example.org/b")
    #expect(dictionary["n"] as? Int == 4)
    #expect((dictionary["new"] as? [String: Any])?["k"] as? [Int] == [1, 2])
  }

  @Test func `Foundation's unarchiver decodes edited people`() throws {
    var conversion = Conversion(to: .archive)
    conversion.reading.schema = .person
    let people = #"[{"firstName":"Matt","lastName":"Neuburg"},{"firstName":"Zoë","lastName":"Smith"}]"#
    let file = try EditableFile(conversion.convert(Array(people.utf8)).bytes)
    try file.set("Ada", at: ValuePath(parsing: "[0].first"))
    try file.insert(
      text: #"{"$class": "Person", "first": "Grace", "last": "Hopper"}"#, as: .json,
      at: ValuePath(parsing: "[1]"))
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(file.bytes()))
    unarchiver.setClass(CodedPerson.self, forClassName: "Person")
    unarchiver.requiresSecureCoding = true
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    let root = unarchiver.decodeObject(of: [NSArray.self, CodedPerson.self], forKey: "root")
    let decoded = try #require(root as? [CodedPerson])
    #expect(decoded.map(\.first) == ["Ada", "Grace", "Zoë"])
    #expect(decoded.map(\.last) == ["Neuburg", "Hopper", "Smith"])
  }
}
