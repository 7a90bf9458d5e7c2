import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Small files that would be large` {
  /// The limits of every command, in seconds of the processor, which do not depend on what else runs. A debug build takes
  /// many times the time, and some more memory, of the program that people use, which needs under a second and 64 MiB.
  private static let (mostSeconds, mostMegabytes) = (30, 96)

  /// Runs each of the commands, which are given a line each and have `F` for the file, and prints those that took more than
  /// they may, or ended by a signal.
  private static let script = """
    import os, shutil, sys
    name, seconds, megabytes = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    for line in sys.stdin.read().splitlines():
        shutil.copy(name, "F")
        words = ["ferry"] + line.split()
        process = os.fork()
        if process == 0:
            empty = os.open(os.devnull, os.O_RDWR)
            printed = os.open("printed", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            for standard in (0, 2): os.dup2(empty, standard)
            os.dup2(printed, 1)
            os.environ["VISUAL"] = os.environ["EDITOR"] = "true"
            os.execvp("ferry", words)
        _, status, usage = os.wait4(process, 0)
        taken, peak = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
        sizes = [os.path.getsize(file) for file in ("F", "out", "printed") if os.path.exists(file)]
        written = max(sizes) / (1 << 20)
        figures = f"{name} {line}: {taken:.2f} s, {peak:.0f} MiB, wrote {written:.0f} MiB"
        if os.environ.get("FERRY_FIGURES"): print(figures)
        elif taken > seconds or peak > megabytes or written > 64 or os.WIFSIGNALED(status):
            print(f"{figures}, status {status}")
    print("done")
    """

  /// Every form in every format, and every other command.
  private static var commands: String {
    var lines: [String] = []
    for (representation, formats) in [
      ("plain", ["json", "xml", "plist-xml", "plist-binary", "archive"]), ("typed", ["xml", "plist-binary"]),
      ("raw", ["json", "archive"]),
    ] {
      for format in formats {
        lines.append("convert F --form \(representation) --to \(format) -o out --force")
      }
    }
    lines += [
      "convert F --form typed --to json -o typed.json --force",
      "convert typed.json --to archive -o out --force", "edit F --expand",
      "convert F --to json --expand -o out --force",
      "convert F --form typed --to json --expand -o out --force",
    ]
    lines += [
      "show F", "show F --expand", "show F --form raw", "show F --depth 3 --max-items 10",
      "inspect F", "inspect F --json --graph", "inspect F --expand", "get F", "get F $objects[1]",
      "get F [0]",
      "get F --form raw $top", "set F [0] x", "set F $objects[1] x", "set F --form raw $version 5",
      "insert F [0] x", "insert F [] x", "remove F [0]", "remove F --form raw $objects[1]",
      "find F --class NSObject", "find F --class NSObject -c", "find F -E .", "find F -k -E .",
      "rename F --class NSView=View", "rename F --key Person.a=b", "edit F", "seed seeded.archive --from F",
    ]
    // In each place, beside versions that are harmless, and beside itself.
    lines += ["F F F", "F [1] [2]", "[1] F [2]", "[1] [2] F"].map {
      "merge \($0) --favor theirs -o out --force"
    }
    return lines.joined(separator: "\n")
  }

  private func check(_ name: String) async throws {
    try directory.write("commands", Self.commands)
    for name in ["[1]", "[2]"] { try directory.write(name, name) }
    try directory.write("measure.py", Self.script)
    let run = try await ToolRun.shell(
      "python3 measure.py \(name) \(Self.mostSeconds) \(Self.mostMegabytes) < commands")
    #expect(run.output == "done\n", "\(run.errors)")
  }

  @Test(arguments: HostileFile.allCases)
  func `A small file that would be large costs every command what it weighs`(file: HostileFile) async throws {
    try directory.write(file.rawValue, file.bytes)
    try await check(file.rawValue)
  }

  /// Views that refer to each other: as trees these would be many times their size.
  @Test func `A nib whose views refer to each other costs every command what it weighs`() async throws {
    var nibs: [(name: String, bytes: [UInt8])] = []
    for name in try Corpus.files(under: "keyed/nib") {
      let bytes = try Corpus.bytes(name)
      if bytes.count <= 110_000 { nibs.append((name, bytes)) }
    }
    for (number, nib) in nibs.sorted(by: { $0.bytes.count > $1.bytes.count }).prefix(2).enumerated() {
      try directory.write("\(number).nib", nib.bytes)
      try await check("\(number).nib")
    }
  }
}
