import Ferry
import Foundation
import TestSupport
import Testing

/// Documents that several processes write, or one that is killed: `Examples/Documents` is the program.
@Suite(.temporaryDirectory, .serialized) struct `Documents that programs save` {
  private static let names = ["a.pplgrp", "a.mystuff"]

  /// The lines of a document, each of which has to be of one version; what else the version has is checked as well.
  private func version(of name: String) async throws -> Int {
    let path = directory.path(name)
    var firsts: [String] = []
    if name.hasSuffix(".mystuff") {
      let document = ThingsDocument(path: path, autosaving: .off)
      try await document.open()
      firsts = await document.things.map(\.name)
      for index in stride(from: 0, to: firsts.count, by: 4) {
        let image = try await document.image(ofThingAt: index)
        #expect(image == Array(String(repeating: firsts[index] + " ", count: 10_000).utf8))
      }
    } else {
      let document = PeopleDocument(path: path, autosaving: .off)
      try await document.open()
      firsts = await document.people.map(\.first)
    }
    let number = Int(firsts.first ?? "0") ?? -1
    #expect(Set(firsts).count <= 1)
    #expect(firsts.count == (number == 0 ? 0 : number % 40 + 1))
    return number
  }

  /// The point of a save at which a process was killed, as shown by the files that it left.
  private enum KillPoint {
    /// It had not put the new version in its place.
    case writing
    /// It had, and the old one was to be removed.
    case removing
    /// It was about to begin, or had just ended.
    case between
  }

  private func killPoint(version: Int) async throws -> KillPoint {
    let left = try leftovers
    guard let name = left.first else { return .between }
    #expect(left.count == 1)
    let path = directory.path(name)
    let (things, people) = (
      ThingsDocument(path: path, autosaving: .off), PeopleDocument(path: path, autosaving: .off)
    )
    try? await things.open()
    try? await people.open()
    let (thing, person) = (await things.things.first?.name, await people.people.first?.first)
    // What cannot be read has not been written to its end.
    guard let old = (thing ?? person).flatMap({ Int($0) }) else { return .writing }
    return old < version ? .removing : .writing
  }

  private var leftovers: [String] {
    get throws { try directory.names().filter { $0.hasPrefix(".ferry-") } }
  }

  /// True if the kills met every kind of moment that the test is about.
  private func isVaried(_ kills: [KillPoint: Int], _ name: String) -> Bool {
    kills[.writing, default: 0] > 30 && kills[.between, default: 0] > 20
      && (kills[.removing, default: 0] > 0 || !name.hasSuffix(".mystuff"))
  }

  /// A fast or busy machine meets the moments more seldom, so it gets more rounds.
  @Test(arguments: names) func `Documents are whole after each of 200 killed saves`(_ name: String)
    async throws
  {
    let seed = UInt64.random(in: 0...(.max))
    var random = SeededGenerator(seed: seed)
    var last = 0
    var kills: [KillPoint: Int] = [:]
    try directory.makeDirectory("left")
    for round in 0..<1000 where round < 200 || !isVaried(kills, name) {
      // It saves without a pause when it says so, and dies in the middle of that: half of them at any moment, half of them
      // while there is a file that is temporary.
      let milliseconds = Int.random(in: 0...30, using: &random)
      let moment =
        round.isMultiple(of: 2)
        ? "sleep 0.\(milliseconds < 10 ? "00" : "0")\(milliseconds)"
        : "until set -- .ferry-*; [ -e $1 ]; do :; done; i=\(milliseconds * 20); while [ $i -gt 0 ]; do i=$((i-1)); done"
      let run = try await ToolRun.shell(
        """
        rm -f ready; mkfifo ready
        documents churn \(name) > ready & pid=$!
        read line < ready; \(moment)
        kill -9 $pid; wait $pid 2>/dev/null; echo $line $?
        """)
      #expect(run.output == "saving 137\n", "seed \(seed), round \(round)")
      let version = try await version(of: name)
      #expect(version >= last, "seed \(seed), round \(round): an older version came back")
      last = version
      kills[try await killPoint(version: version), default: 0] += 1
      for name in try leftovers {
        try FileManager.default.moveItem(
          atPath: directory.path(name), toPath: directory.path("left/\(name)"))
      }
    }
    #expect(isVaried(kills, name), "\(kills)")
    // What they left harms nobody, and goes with a later save, once it is old.
    let left = try directory.names(in: "left")
    for file in left {
      try FileManager.default.moveItem(
        atPath: directory.path("left/\(file)"), toPath: directory.path(file))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: directory.path(file))
    }
    let run = try await ToolRun.shell("documents add \(name) Ada Lovelace")
    #expect(run.output == "saved 1 times, 0 conflicts\n")
    #expect(try leftovers == [], "of \(left.count)")
  }

  @Test(arguments: names) func `Documents lose no change when two processes save them`(_ name: String)
    async throws
  {
    let run = try await ToolRun.shell(
      """
      documents add \(name) Ada Lovelace 40 & documents add \(name) Grace Hopper 40 & documents add \(name) Edith Clarke 40
      wait
      documents show \(name) | sort | uniq -c
      """)
    let lines = run.output.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("saved 40 times") }.count == 3, "\(run.output)")
    #expect(
      lines.suffix(3).map { $0.split(separator: " ").joined(separator: " ") } == [
        "40 Ada Lovelace", "40 Edith Clarke", "40 Grace Hopper",
      ])
    #expect(!lines.filter { $0.hasSuffix(" 0 conflicts") }.elementsEqual(lines.prefix(3)), "they never met")
    #expect(try leftovers == [])
  }

  @Test(arguments: names) func `Documents stay whole when a file may not grow so large`(_ name: String)
    async throws
  {
    expectQuiet(try await .shell("documents add \(name) Ada Lovelace > /dev/null"))
    let long = String(repeating: "x", count: 40_000)
    // The limit's signal is ignored, so that the write itself fails.
    let run = try await ToolRun.shell("trap '' XFSZ; ulimit -f 16; documents add \(name) \(long) Lovelace")
    #expect(run.output == "\(name): file too large\n")
    #expect(try await ToolRun.shell("documents show \(name)").output == "Ada Lovelace\n")
    #expect(try leftovers == [])
    let again = try await ToolRun.shell(
      "documents add \(name) \(long) Lovelace; documents show \(name) | wc -l")
    #expect(again.output.split(separator: "\n").last.map { $0.filter { $0 != " " } } == "2")
  }

  @Test(arguments: names) func `Documents stay whole on a full disk, and are saved when there is room`(
    _ name: String
  ) async throws {
    let disk = directory.path("disk")
    try directory.makeDirectory("disk")
    let mount = try await ToolRun.shell("mount -t tmpfs -o size=64k ferry-test disk")
    guard mount.status == 0 else { try Test.cancel("no disk can be made here: \(mount.errors)") }
    do {
      try await fillAndSave(disk, name)
    } catch {
      Issue.record(error)
    }
    #expect(try await ToolRun.shell("umount disk").status == 0)
  }

  private func fillAndSave(_ disk: String, _ name: String) async throws {
    let path = "\(disk)/\(name)"
    let document: Document =
      name.hasSuffix(".mystuff")
      ? ThingsDocument(path: path, autosaving: .off) : PeopleDocument(path: path, autosaving: .off)
    try await document.save(to: path, for: .creating)
    _ = try await ToolRun.shell("head -c 40000 /dev/zero > disk/filler")
    let long = String(repeating: "x", count: 30_000)
    if let things = document as? ThingsDocument {
      await things.edit { $0.append(ThingsDocument.Thing(name: long, location: "Shelf")) }
    } else if let people = document as? PeopleDocument {
      await people.edit { $0.people.append(PeopleDocument.Person(first: long, last: "Lovelace")) }
    }
    let failure = await #expect(throws: FerryError.self) { try await document.save() }
    #expect(failure?.reason == .file(.system("no space left on device", errno: ENOSPC)))
    #expect(await document.state == .savingError)
    #expect(await document.savingError == failure)
    #expect(await document.hasUnsavedChanges)
    // The old one is there, and nothing else.
    #expect(try await version(of: "disk/\(name)") == 0)
    #expect(try directory.names(in: "disk") == [name, "filler"])
    try FileManager.default.removeItem(atPath: "\(disk)/filler")
    try await document.save()
    #expect(await document.state == .normal)
    #expect(await document.savingError == nil)
    #expect(try await ToolRun.shell("documents show disk/\(name) | wc -c").output.contains("300"))
  }

  @Test func `Documents that cannot be opened are reported`() async throws {
    #expect(
      try await ToolRun.shell("documents show a.pplgrp").output
        == "a.pplgrp: there is no document of this name\n")
    try directory.write("a.pplgrp", "[]")
    #expect(
      try await ToolRun.shell("documents show a.pplgrp").output
        == "a.pplgrp: not a keyed archive: this is json\n")
    let add = try await ToolRun.shell("documents add a.pplgrp Ada Lovelace")
    #expect(add.output == "a.pplgrp: not a keyed archive: this is json\n")
    #expect(try directory.text("a.pplgrp") == "[]")
  }
}
