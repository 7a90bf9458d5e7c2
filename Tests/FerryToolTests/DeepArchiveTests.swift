import TestSupport
import Testing

/// Archives whose objects are nested as deep as they are many.
@Suite(.temporaryDirectory) struct `a chain of objects` {
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

  @Test(arguments: [false, true]) func `is written as deep as it is`(isRing: Bool) async throws {
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

  @Test func `has short references, which get takes`() async throws {
    try directory.write("ring.archive", HostileFile.ring.bytes)
    let run = try await expectQuick("convert ring.archive --to json")
    #expect(run.bytes.count < 4 << 20)
    #expect(run.output.contains(##""previous":{"$ref":"#/next/next"}"##))
    #expect(run.output.contains(##""previous":{"$ref":"#/$objects/9000"}"##))
    #expect(try await expectQuick("get ring.archive").output == run.output)
    let found = try await expectQuick("get ring.archive '#/$objects/9000/previous/next'")
    #expect(found.output.hasPrefix(#"{"next":{"next":"#))
  }

  @Test func `is limited where it becomes a value`() async throws {
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
