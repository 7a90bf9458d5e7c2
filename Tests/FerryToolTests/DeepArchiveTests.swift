import TestSupport
import Testing

/// Archives whose objects are nested as deep as they are many.
@Suite(.temporaryDirectory) struct `Chains of objects` {
  private static let count = 10_000

  /// An archive of nodes, each of which refers to the next. The last refers to the first, or to nothing.
  private static func chain(isRing: Bool) -> [UInt8] {
    var archive = ArchiveInMaking()
    for number in 1...count {
      let next = number < count ? number + 1 : isRing ? 1 : 0
      archive.add(references: ["next": next], type: count + 1)
    }
    archive.addClass("Node", "NSObject")
    return archive.file
  }

  private func expectQuick(_ arguments: String...) async throws -> ToolRun {
    let time = try await ToolRun.shell("ulimit -t 60; ferry \(arguments.joined(separator: " "))")
    #expect(time.status == 0, "\(arguments): \(time.errors.prefix(500))")
    return time
  }

  @Test(arguments: [false, true]) func `A chain of objects is written to its full depth`(isRing: Bool)
    async throws
  {
    try directory.write("chain.archive", Self.chain(isRing: isRing))
    let end = isRing ? ##"{"$ref":"#"}"## : "null"
    let json = #"{"next":"# * Self.count + end + "}" * Self.count + "\n"
    #expect(try await expectQuick("convert chain.archive --to json").output == json)
    #expect(try await expectQuick("get chain.archive").output == json)
    #expect(try await expectQuick("get chain.archive --to json").output == json)
    for format in ["plist-binary", "archive"] {
      _ = try await expectQuick("convert chain.archive --to \(format) -o out --force")
    }
    for run in ["convert chain.archive --to plist-xml", "convert chain.archive --to json --pretty"] {
      #expect(try await expectQuick(run).bytes.count < 32 << 20)
    }
    #expect(try await expectQuick("show chain.archive").output.contains("{… 1 key}"))
  }

  @Test func `The references of a chain are short, and get accepts them`() async throws {
    try directory.write("ring.archive", HostileFile.ring.bytes)
    let run = try await expectQuick("convert ring.archive --to json")
    #expect(run.bytes.count < 4 << 20)
    #expect(run.output.contains(##""previous":{"$ref":"#/next/next"}"##))
    #expect(run.output.contains(##""previous":{"$ref":"#/$objects/9000"}"##))
    #expect(try await expectQuick("get ring.archive").output == run.output)
    let found = try await expectQuick("get ring.archive '#/$objects/9000/previous/next'")
    #expect(found.output.hasPrefix(#"{"next":{"next":"#))
  }

  @Test func `The references of a chain are short beside data that is opened`() async throws {
    try directory.write("ring.archive", HostileFile.ring.bytes)
    let run = try await expectQuick("convert ring.archive --to json --expand")
    #expect(run.output == (try await expectQuick("convert ring.archive --to json")).output)
  }

  @Test func `A chain of keys is written as far as the budget allows, and shown`() async throws {
    try directory.write("three.archive", Self.keys(depth: 3))
    let text = #"{ "{\"{\\\"{}\\\":\\\"v\\\"}\":\"v\"}": "v" }"# + "\n"
    #expect(try await expectQuick("show three.archive").output == text)
    let json = try await expectQuick("convert three.archive --to json")
    #expect(json.output == #"{"{\"{\\\"{}\\\":\\\"v\\\"}\":\"v\"}":"v"}"# + "\n")
    try directory.write("many.archive", Self.keys(depth: 10_000))
    #expect(
      try await expectQuick("show many.archive --depth 2").output == #"{ { {… 1 key}: "v" }: "v" }"# + "\n")
    let run = try await ToolRun.ferry("convert", "many.archive", "--to", "json")
    #expect(run.errors.contains("expands to more than 100 times its size"))
  }

  /// An archive of a dictionary whose key is a dictionary, and so on.
  private static func keys(depth: Int) -> [UInt8] {
    var archive = ArchiveInMaking()
    for number in 1...depth {
      archive.add(keys: ["NS.keys": [number + 1], "NS.objects": [depth + 2]], type: depth + 3)
    }
    archive.add(keys: ["NS.keys": [], "NS.objects": []], type: depth + 3)
    archive.addString("v")
    archive.addClass("NSDictionary", "NSObject")
    return archive.file
  }

  @Test func `A chain that becomes a value is as deep as the budget allows`() async throws {
    try directory.write("list.archive", Self.chain(isRing: false))
    for line in [
      "convert list.archive --to text -o out", "merge list.archive list.archive list.archive -o out",
      "seed new.archive --from list.archive", "convert list.archive --to json --max-depth 512",
    ] {
      let run = try await ToolRun.shell("ferry \(line)")
      #expect(run.status == 1, "\(line)")
      #expect(run.errors.contains("nested deeper than 512 levels"), "\(line): \(run.errors.prefix(300))")
    }
  }
}

extension String {
  fileprivate static func * (text: String, count: Int) -> String { String(repeating: text, count: count) }
}
