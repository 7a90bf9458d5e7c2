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

  /// Kills a process that saves a document without a pause, at one of these points of a save:
  ///
  /// - `writing`: it has not put the new version in its place.
  /// - `removing`: it has, and the old version is to be removed.
  /// - `between`: it has no temporary file.
  /// - `any`: any point.
  ///
  /// Only a stopped process shows where it is. So the script stops it at random moments until it is at the point, and kills it there,
  /// however fast or busy the machine is. It prints the point, or `unknown` if several saves have passed since the last stop.
  private static let killer = """
    import os, random, signal, subprocess, sys, time
    name, wanted, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
    random.seed(seed)

    class File:
        # An open file, whose number in the file system no other one gets.
        def __init__(self, name):
            self.descriptor = os.open(name, os.O_RDONLY)
        def __eq__(self, other):
            return other is not None and os.path.samestat(os.fstat(self.descriptor), os.fstat(other.descriptor))
        def __del__(self):
            os.close(self.descriptor)

    def opened(names):
        for name in names:
            if os.path.exists(name): return File(name)

    def point(document, temporary, last):
        if temporary is None: return "between"
        if document is None or last is None: return "unknown"
        if document == last["document"]:
            return last["point"] if temporary == last["temporary"] else "writing"
        return "removing" if temporary == last["document"] else "unknown"

    process = subprocess.Popen(["documents", "churn", name], stdout=subprocess.PIPE)
    if process.stdout.readline() != b"saving\\n": sys.exit("it does not save")
    last, pause = None, 0.03
    for _ in range(2000):
        time.sleep(random.uniform(0, pause))
        os.kill(process.pid, signal.SIGSTOP)
        os.waitpid(process.pid, os.WUNTRACED)
        document = opened([name])
        temporary = opened(file for file in os.listdir(".") if file.startswith(".ferry-"))
        last = {"document": document, "temporary": temporary, "point": point(document, temporary, last)}
        if wanted in (last["point"], "any"): break
        pause = max(pause / 2, 0.0002) if last["point"] == "unknown" else min(pause * 1.2, 0.03)
        os.kill(process.pid, signal.SIGCONT)
    process.kill()
    print(last["point"], process.wait())
    """

  private var leftovers: [String] {
    get throws { try directory.names().filter { $0.hasPrefix(".ferry-") } }
  }

  @Test(arguments: names) func `Documents are whole after each of 200 killed saves`(_ name: String)
    async throws
  {
    let seed = UInt64.random(in: 0...(.max))
    var random = SeededGenerator(seed: seed)
    var last = 0
    var kills: [Substring: Int] = [:]
    try directory.write("kill.py", Self.killer)
    try directory.makeDirectory("left")
    let points = ["any", "writing", "between", name.hasSuffix(".mystuff") ? "removing" : "writing"]
    for round in 0..<200 {
      let number = UInt32.random(in: 0...(.max), using: &random)
      let run = try await ToolRun.shell("python3 kill.py \(name) \(points[round % points.count]) \(number)")
      #expect(run.output.hasSuffix(" -9\n"), "seed \(seed), round \(round): \(run.output)\(run.errors)")
      kills[run.output.prefix { $0 != " " }, default: 0] += 1
      let version = try await version(of: name)
      #expect(version >= last, "seed \(seed), round \(round): an older version came back")
      last = version
      let left = try leftovers
      #expect(left.count < 2, "seed \(seed), round \(round)")
      for name in left {
        try FileManager.default.moveItem(
          atPath: directory.path(name), toPath: directory.path("left/\(name)"))
      }
    }
    for point in Set(points).subtracting(["any"]) {
      #expect(kills[point[...], default: 0] > 20, "seed \(seed): \(kills)")
    }
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
        == "a.pplgrp: no document has this name\n")
    try directory.write("a.pplgrp", "[]")
    #expect(
      try await ToolRun.shell("documents show a.pplgrp").output
        == "a.pplgrp: not a keyed archive: this is json\n")
    let add = try await ToolRun.shell("documents add a.pplgrp Ada Lovelace")
    #expect(add.output == "a.pplgrp: not a keyed archive: this is json\n")
    #expect(try directory.text("a.pplgrp") == "[]")
  }
}
