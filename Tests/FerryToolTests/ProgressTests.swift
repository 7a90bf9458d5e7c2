import Foundation
import TestSupport
import Testing

/// The line that shows the progress of a run on a terminal.
@Suite(.temporaryDirectory) struct `Progress on a terminal` {
  private static let fileCount = 3000

  /// Runs a conversion of a folder in a terminal. Returns what the terminal received, and the exit status.
  private func run(interrupted: Bool) async throws -> (text: String, status: String) {
    let text =
      "<people>" + String(repeating: "<person><firstName>A</firstName></person>", count: 50) + "</people>"
    try directory.makeDirectory("in")
    for index in 0..<Self.fileCount { try directory.write("in/\(index).xml", text) }
    let answer = try await Peer.python(
      """
      import os, pty, shutil, signal, sys, time
      os.chdir("\(directory.path)")
      interrupted = \(interrupted ? "True" : "False")
      def has_file(): return os.path.isdir("out") and any(name.endswith(".json") for name in os.listdir("out"))
      # A run that ends before it is stopped or interrupted, where this test gets little time, is begun again.
      for round in range(20):
        shutil.rmtree("out", ignore_errors=True)
        pid, terminal = pty.fork()
        if pid == 0:
          os.execv("\(try ToolRun.path)", ["ferry", "convert", "-r", "in", "--to", "json", "--out-dir", "out", "--jobs", "1"])
        # The line appears after half a second, in which a fast machine would convert all files.
        while not has_file(): time.sleep(0.001)
        os.kill(pid, signal.SIGSTOP)
        time.sleep(0.7)
        os.kill(pid, signal.SIGCONT)
        text, interrupts = b"", interrupted
        while True:
          try: piece = os.read(terminal, 65536)
          except OSError: break
          if not piece: break
          text += piece
          if interrupts and b" of 3,000 files" in text:
            os.write(terminal, b"\\x03")
            interrupts = False
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if b" of 3,000 files" in text and not (interrupted and len(os.listdir("out")) == 3000): break
        os.close(terminal)
      sys.stdout.buffer.write(text + b"|" + str(status).encode())
      """)
    #expect(answer.succeeded, "\(answer.errors)")
    let parts = answer.text.split(separator: "|", omittingEmptySubsequences: false)
    return (String(parts[0]), String(try #require(parts.last)))
  }

  /// The lines of progress, in order.
  private func lines(_ text: String) -> [String] {
    text.split { "\r\n\u{1B}".contains($0) }.map(String.init).filter { $0.contains(" of 3,000 files, ") }
  }

  @Test func `It counts files and bytes, and says how much time is left`() async throws {
    let (text, status) = try await run(interrupted: false)
    #expect(status == "0")
    #expect(text.contains("3000 converted, 0 failed"), "\(text.suffix(200))")
    let last = try #require(lines(text).last)
    #expect(last.contains(" of 6.2 MB, "), "\(last)")
    #expect(!last.contains(" 0.0 of"), "\(last)")
    #expect(lines(text).contains { $0.contains(" s left") })
  }

  @Test func `Interrupted in the middle, a run leaves whole files only`() async throws {
    let (text, status) = try await run(interrupted: true)
    // A shell's loop ends only if the program ends by the signal.
    #expect(status == "-2", "\(status) \(text.suffix(200))")
    let files = try directory.names(in: "out")
    #expect(!files.isEmpty && files.count < Self.fileCount)
    for file in files {
      #expect(file.hasSuffix(".json"))
      #expect(throws: Never.self, "\(file)") {
        try JSONSerialization.jsonObject(with: Data(directory.bytes("out/\(file)")))
      }
    }
  }

  /// Runs a command in a terminal, in short slices of time until it shows its progress, which contains a text. Returns what the
  /// terminal received.
  ///
  /// - Parameter name: A file that the command reads. Meanwhile it is a named pipe, whose last byte comes when the progress
  ///   is shown: where this test gets little time, the command would end before.
  private func runInSlices(_ arguments: [String], until progress: String, holding name: String) async throws
    -> String
  {
    let answer = try await Peer.python(
      """
      import json, os, pty, select, signal, sys, time
      os.chdir("\(directory.path)")
      with open("\(name)", "rb") as file: unsent = file.read()
      os.rename("\(name)", "held")
      os.mkfifo("\(name)")
      pipe = os.open("\(name)", os.O_RDWR | os.O_NONBLOCK)
      pid, terminal = pty.fork()
      if pid == 0:
        os.execv("\(try ToolRun.path)", json.loads(r'''\(try #require(String(data: JSONEncoder().encode(["ferry"] + arguments), encoding: .utf8)))'''))
      text, ended = b"", False
      while not ended:
        shown = b"\(progress)" in text
        # The last byte stays until it may go, and the pipe until it is read.
        if len(unsent) > (0 if shown else 1):
          try: unsent = unsent[os.write(pipe, unsent if shown else unsent[:-1]):]
          except BlockingIOError: pass
        elif shown and pipe is not None and not select.select([pipe], [], [], 0)[0]:
          os.close(pipe)
          pipe = None
        if not shown:
          time.sleep(0.005)
          os.kill(pid, signal.SIGSTOP)
          time.sleep(0.25)
        # A program that is stopped writes nothing more: what it wrote is read, and it goes on.
        while select.select([terminal], [], [], 0.002 if shown else 0)[0]:
          try: piece = os.read(terminal, 65536)
          except OSError: piece = b""
          if not piece:
            ended = True
            break
          text += piece
        if not shown: os.kill(pid, signal.SIGCONT)
      os.waitpid(pid, 0)
      os.replace("held", "\(name)")
      sys.stdout.buffer.write(text)
      """)
    #expect(answer.succeeded, "\(answer.errors)")
    return answer.text
  }

  @Test(arguments: [
    ["check", "in"], ["find", "2999", "in", "--color", "never"], ["inspect", "--summary", "in"],
  ])
  func `check, find and inspect show the progress, and keep their lines whole`(_ arguments: [String])
    async throws
  {
    try directory.makeDirectory("in")
    for index in 1..<Self.fileCount { try directory.write("in/\(index).xml", "<a>\(index)</a>") }
    try directory.write("last.xml", "<a>0</a>")
    let text = try await runInSlices(arguments + ["last.xml"], until: " of 3,000 files", holding: "last.xml")
    #expect(!lines(text).isEmpty, "\(text.suffix(200))")
    // What the terminal shows after the progress was erased.
    let shown = text.split(separator: "\r\n").map { $0.split(separator: "\u{1B}[K").last ?? "" }
    switch arguments[0] {
    case "check": #expect(shown.filter { $0.hasSuffix(".xml: OK (xml)") }.count == Self.fileCount)
    case "find": #expect(shown.contains("in/2999.xml: a: 2999"), "\(shown.suffix(3))")
    default: #expect(shown.contains { $0.contains("3000") }, "\(shown.prefix(3))")
    }
  }

  @Test(arguments: [
    (["diff", "old.json", "new.json", "--color", "never"], "comparing, ", "--- old.json"),
    (["merge", "old.json", "new.json", "old.json", "-o", "out.json"], "merging, ", ""),
    (
      ["schema", "check", "new.json", "--schema", "n.schema.json"], " MB/s",
      "new.json: 60000 records, all fit"
    ),
    (["schema", "infer", "new.json", "-o", "out.json"], " MB/s", ""),
  ])
  func `diff, merge and commands for schemas show the progress only on a terminal`(
    _ arguments: [String], _ progress: String, _ line: String
  ) async throws {
    let records = (0..<60_000).map { #"{"n":\#($0)}"# }
    let text = "[\(records.joined(separator: ",\n"))]\n"
    try directory.write("old.json", text)
    try directory.write("new.json", text.replacing(#"{"n":7}"#, with: #"{"n":8}"#))
    try directory.write("n.schema.json", #"{"ferry":1,"name":"n","fields":[{"name":"n","type":"integer"}]}"#)
    let shown = try await runInSlices(arguments, until: progress, holding: "new.json")
    #expect(shown.contains(progress) && shown.contains(" MB, "), "\(shown.suffix(200))")
    #expect(shown.contains("\r\u{1B}[K\(line)"), "\(shown.suffix(200))")
    try? FileManager.default.removeItem(atPath: directory.path("out.json"))
    let run = try await ToolRun.ferry(arguments)
    #expect(!run.errors.contains(" MB, "), "\(run.errors)")
  }
}
