import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Compressed files` {
  private static let programs = [("gzip", "gz"), ("zstd", "zst"), ("xz", "xz")]

  /// Writes a file that another program has compressed.
  private func compress(_ name: String, with program: String) async throws {
    let answer = try await Peer.run(program, ["-q", "-c", directory.path(name)])
    #expect(answer.succeeded, "\(answer.errors)")
    let fileExtension = try #require(Self.programs.first { $0.0 == program }).1
    try directory.write("\(name).\(fileExtension)", answer.output)
  }

  @Test(arguments: programs)
  func `A compressed file is converted like the file in it`(_ program: String, _ fileExtension: String)
    async throws
  {
    try directory.write("folks.xml", folks)
    try await compress("folks.xml", with: program)
    let file = "folks.xml.\(fileExtension)"
    for line in [
      "ferry convert \(file) --to json", "ferry convert --to json < \(file)",
      "cat \(file) | ferry convert --to json",
      "cp \(file) anything; ferry convert anything --to json", "ferry get \(file) --to json",
    ] {
      let run = try await ToolRun.shell(line)
      expectQuiet(run)
      #expect(run.output == folksJSON, "\(line)")
    }
    for command in ["show", "inspect"] {
      let plain = try await ToolRun.ferry(command, "folks.xml")
      let packed = try await ToolRun.ferry(command, file)
      expectQuiet(packed)
      let lines = packed.output.split(separator: "\n").filter { !$0.contains("compression") }
      #expect(lines.dropFirst() == plain.output.split(separator: "\n").dropFirst())
    }
  }

  @Test(arguments: [("gz", "gzip"), ("zst", "zstd"), ("xz", "xz")])
  func `The extension of an output compresses it`(_ fileExtension: String, _ program: String) async throws {
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.ferry("convert", "folks.xml", "-o", "people.json.\(fileExtension)")
    expectQuiet(run)
    let answer = try await Peer.run(program, ["-dc", directory.path("people.json.\(fileExtension)")])
    #expect(answer.text == folksJSON, "\(answer.errors)")
  }

  @Test(arguments: [
    "ferry schema infer folks.xml -q -o", "ferry schema show person -o",
    "ferry schema show person --as json-schema -q -o", "ferry schema show person --as xsd -q -o",
    "ferry get folks.xml -o", "ferry show folks.xml --html -o", "ferry diff empty.json folks.xml -o",
    "ferry diff empty.json folks.xml --html -o", "ferry set one.json a 2 -o",
    "ferry insert empty.json a 1 --type integer -o", "ferry remove one.json a -o",
    "ferry patch one.json patch.json -o",
    "ferry merge one.json one.json one.json -o", "ferry merge one.json one.json one.json --to plist-xml -o",
    "ferry merge B.mystuff B.mystuff B.mystuff --to json -o", "EDITOR='sed -i s/1/2/' ferry edit one.json -o",
    "ferry convert folks.xml --to json -o", "ferry convert folks.xml --to json -o other --report",
    "ferry seed --from folks.xml --to json",
  ])
  func `Each file that an option names is compressed by its name`(_ line: String) async throws {
    try directory.write("folks.xml", folks)
    try directory.write("empty.json", "{}")
    try directory.write("one.json", #"{"a": 1}"#)
    try directory.write("patch.json", "[]")
    if line.contains("B.mystuff") {
      try directory.write("things.xml", Self.things)
      expectQuiet(try await .ferry("convert", "things.xml", "-o", "B.mystuff"))
    }
    let run = try await ToolRun.shell("\(line) out.gz")
    #expect(run.errors == "", "\(run)")
    #expect(try directory.bytes("out.gz").starts(with: [0x1f, 0x8b]), "\(run)")
    let packed = try await Peer.run("gzip", ["-t", directory.path("out.gz")])
    #expect(packed.succeeded, "\(packed.errors)")
  }

  @Test func `Another schema is not written under the name of a compressed XML Schema`() async throws {
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.ferry("schema", "infer", "folks.xml", "-o", "s.xsd.gz")
    #expect(run.status == 64 && run.errors.contains("this schema is not an XML Schema"), "\(run)")
  }

  @Test func `An option compresses the standard output, or leaves an output as it is`() async throws {
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.shell("ferry convert folks.xml --to json --compress gzip | gzip -dc")
    expectQuiet(run)
    #expect(run.output == folksJSON)
    expectQuiet(try await ToolRun.ferry("convert", "folks.xml", "-o", "a.json.gz", "--compress", "none"))
    #expect(try directory.text("a.json.gz") == folksJSON)
    let two = try await ToolRun.shell("ferry convert folks.xml folks.xml --to json --compress xz | xz -dc")
    #expect(two.output == folksJSON + folksJSON)
    let zlib = try await ToolRun.ferry(
      "convert", "folks.xml", "folks.xml", "--to", "json", "--compress", "zlib")
    #expect(zlib.status == 64 && zlib.errors.contains("--compress zlib takes one input"))
  }

  @Test func `A folder of outputs has the names of the files in the inputs`() async throws {
    try directory.write("a.xml", folks)
    try directory.write("b.xml", folks)
    for name in ["a.xml", "b.xml"] { try await compress(name, with: "gzip") }
    expectQuiet(
      try await ToolRun.ferry("convert", "a.xml.gz", "b.xml.gz", "--to", "json", "--out-dir", "out", "-q"))
    #expect(try directory.names(in: "out") == ["a.json", "b.json"])
    expectQuiet(
      try await ToolRun.ferry(
        "convert", "a.xml.gz", "--to", "json", "--compress", "zstd", "--out-dir", "packed", "-q"))
    #expect(try directory.names(in: "packed") == ["a.json.zst"])
  }

  @Test func `A compressed file is edited in place`() async throws {
    try directory.write("a.json", #"{"name": "Ada", "tags": [1, 2]}"#)
    try await compress("a.json", with: "gzip")
    let original = try directory.bytes("a.json.gz")
    expectQuiet(try await ToolRun.ferry("set", "a.json.gz", "name", "Ada"))
    #expect(try directory.bytes("a.json.gz") == original)
    expectQuiet(try await ToolRun.ferry("set", "a.json.gz", "name", "Grace"))
    expectQuiet(try await ToolRun.ferry("insert", "a.json.gz", "tags[]", "3"))
    expectQuiet(try await ToolRun.ferry("remove", "a.json.gz", "tags[0]"))
    let text = try await Peer.run("gzip", ["-dc", directory.path("a.json.gz")])
    #expect(text.text == #"{"name": "Grace", "tags": [2, 3]}"#)
    expectQuiet(try await ToolRun.ferry("set", "a.json.gz", "name", "Bo", "-o", "b.json"))
    #expect(try directory.text("b.json") == #"{"name": "Bo", "tags": [2, 3]}"#)
    let edit = try await ToolRun.shell(
      "EDITOR='sed -i s/Grace/Eve/' ferry edit a.json.gz && gzip -dc a.json.gz")
    #expect(edit.output == #"{"name": "Eve", "tags": [2, 3]}"#, "\(edit.errors)")
    let stream = try await ToolRun.shell("ferry set - name Zoe < a.json.gz | gzip -dc")
    #expect(stream.output == #"{"name": "Zoe", "tags": [2, 3]}"#)
  }

  @Test func `A compressed archive is converted there and back, and its classes are renamed`() async throws {
    try directory.write("folks.xml", folks)
    expectQuiet(try await ToolRun.ferry("convert", "folks.xml", "-o", "people.pplgrp"))
    expectQuiet(try await ToolRun.ferry("convert", "folks.xml", "-o", "people.pplgrp.gz"))
    let plain = try await Peer.run("gzip", ["-dc", directory.path("people.pplgrp.gz")])
    #expect(try plain.output == directory.bytes("people.pplgrp"))
    expectQuiet(try await ToolRun.ferry("rename", "people.pplgrp.gz", "--class", "Person=Human", "--force"))
    expectQuiet(try await ToolRun.ferry("rename", "people.pplgrp", "--class", "Person=Human", "--force"))
    let renamed = try await Peer.run("gzip", ["-dc", directory.path("people.pplgrp.gz")])
    #expect(try renamed.output == directory.bytes("people.pplgrp"))
  }

  @Test func `Compressed versions are merged into a compressed file`() async throws {
    for (name, ages) in [("base", "1,2"), ("ours", "1,3"), ("theirs", "4,2")] {
      let (first, second) = (ages.split(separator: ",")[0], ages.split(separator: ",")[1])
      try directory.write("\(name).json", "{\"a\": \(first), \"b\": \(second)}\n")
      try await compress("\(name).json", with: "gzip")
    }
    expectQuiet(
      try await ToolRun.ferry("merge", "base.json.gz", "ours.json.gz", "theirs.json.gz", "-o", "out.json.gz"))
    let merged = try await Peer.run("gzip", ["-dc", directory.path("out.json.gz")])
    #expect(merged.text == "{\"a\": 4, \"b\": 3}\n")
  }

  @Test func `A seed reads compressed data, and leaves a compressed document alone`() async throws {
    try directory.write("folks.xml", folks)
    try await compress("folks.xml", with: "xz")
    let run = try await ToolRun.ferry("seed", "people.pplgrp", "--from", "folks.xml.xz")
    #expect(run.output == "people.pplgrp: created with 3 records\n", "\(run.errors)")
    try directory.write("a.json", "[]")
    try await compress("a.json", with: "gzip")
    let original = try directory.bytes("a.json.gz")
    expectFailure(
      try await ToolRun.ferry("seed", "a.json.gz", "--from", "folks.xml", "--merge", "--key", "lastName"),
      "a.json.gz: this is gzip data, and a document is not changed while it is compressed (decompress it first)"
    )
    #expect(try directory.bytes("a.json.gz") == original)
  }

  @Test func `Damaged data is reported with its byte, and no output is written`() async throws {
    try directory.write("folks.xml", folks)
    try await compress("folks.xml", with: "gzip")
    let bytes = try directory.bytes("folks.xml.gz")
    try directory.write("cut.xml.gz", Array(bytes.dropLast(9)))
    try directory.write("tiny.xml.gz", Array(bytes.prefix(5)))
    try directory.write("more.xml.gz", bytes + Array("garbage".utf8))
    var wrong = bytes
    wrong[bytes.count - 6] ^= 1
    try directory.write("wrong.xml.gz", wrong)
    for (name, message) in [
      ("cut", "byte \(bytes.count - 9): the gzip data is truncated"),
      ("tiny", "byte 5: the gzip data is truncated"),
      ("more", "byte \(bytes.count): bytes that are not gzip data follow the end of the gzip data"),
      ("wrong", "byte \(bytes.count - 4): the gzip data is damaged: incorrect data check"),
    ] {
      expectFailure(
        try await ToolRun.ferry("convert", "\(name).xml.gz", "-o", "out.json"), "\(name).xml.gz: \(message)")
      #expect(try !directory.names().contains("out.json"))
    }
  }

  @Test func `A file that would expand to gigabytes is refused, and the message names the option`()
    async throws
  {
    let script = """
      import gzip
      member = gzip.compress(b'\\n' * (1 << 24))
      with open('\(directory.path("bomb.json.gz"))', 'wb') as file:
          file.write(gzip.compress(b'[1]'))
          for _ in range(40): file.write(member)
      """
    let made = try await Peer.python(script)
    try #require(made.succeeded, "\(made.errors)")
    for command in ["ferry convert bomb.json.gz --to jsonl", "ferry inspect - --from jsonl < bomb.json.gz"] {
      let run = try await ToolRun.shell("ulimit -v 4000000; \(command)")
      #expect(run.status == 1)
      #expect(
        run.errors.contains("expands to more than 100 times its size (--max-amplification raises the limit)"),
        "\(run.errors)")
    }
  }

  @Test func `A package is not written under the name of a compressed file`() async throws {
    try directory.write("things.json", #"[{"whatsitName":"Vase"}]"#)
    let run = try await ToolRun.ferry("convert", "things.json", "-o", "a.mystuff.gz")
    expectFailure(run, "a.mystuff.gz: a package is a folder, which gzip cannot compress (leave out .gz)")
  }

  @Test(arguments: [
    "convert a.json --to json -o b.json.bz2", "convert a.json -o b.yaml.lz4", "get a.json [0] -o b.json.bz2",
    "set a.json [0].n 2 -o b.json.BZ2", "insert a.json [0].m 2 -o b.json.Z",
    "remove a.json [0].n -o b.json.Z",
    "diff a.json a.json --json -o b.json.lzma", "merge a.json a.json a.json -o b.json.bz2",
    "schema infer a.json -o b.json.bz2", "show a.json --html -o b.html.br",
    "convert a.json --to yaml -o b.yaml --report b.json.bz2", "seed b.json.bz2 --from a.json --to json",
  ])
  func `No command writes under the name of another compression`(_ line: String) async throws {
    try directory.write("a.json", #"[{"n":1}]"#)
    let run = try await ToolRun.shell("ferry \(line)")
    #expect(run.status == 64)
    #expect(
      run.errors.contains(" is for a compression that is not supported (try: .gz, "), "\(run.errors)")
    #expect(try directory.names() == ["a.json"])
  }

  @Test(arguments: [
    "convert a.json --to yaml -o b.yaml.zip", "convert a.json --to yaml -o b.tar.gz",
    "convert a.json --to yaml -o b.yaml --report b.json.zip", "show a.json --html -o b.zip",
    "diff a.json a.json --json -o b.json.zip", "get a.json [0] --to json -o b.json.zip",
    "merge a.json a.json a.json --to json -o b.json.zip", "seed b.json.zip --from a.json --to json",
    "get a.json [0] -o b.json.tgz", "set a.json [0].n 2 -o b.json.tgz", "insert a.json [0].m 2 -o b.TAR",
    "remove a.json [0].n -o b.json.7z", "merge a.json a.json a.json -o b.json.tgz",
    "schema infer a.json -o b.json.tgz", "schema show item -o b.json.txz",
    "patch a.json a.json -o b.json.tgz",
  ])
  func `No command writes a plain file under the name of an archive`(_ line: String) async throws {
    try directory.write("a.json", #"[{"n":1}]"#)
    let run = try await ToolRun.shell("ferry \(line)")
    #expect(run.status == 64, "\(run)")
    #expect(
      run.errors.contains(" is for an archive, which is not supported (write a file, then pack it)"),
      "\(run.errors)")
    #expect(try directory.names() == ["a.json"])
  }

  @Test func `Bytes as they are, and changed ZIP archives, are written under the name of an archive`()
    async throws
  {
    try directory.write("x.csv", "a,b\n")
    try directory.write("x.json", #"{"n":1}"#)
    let run = try await ToolRun.shell(
      #"""
      python3 -m zipfile -c a.zip x.csv x.json; python3 -m zipfile -c b.zip x.json
      ferry get a.zip '["x.csv"]' --bytes -o y.tgz && cat y.tgz
      ferry set b.zip n 2 -o c.zip && ferry get c.zip n
      """#)
    expectQuiet(run)
    #expect(run.output == "a,b\n2\n")
  }

  @Test(arguments: [
    "ferry set B.mystuff [0].name Bed -o a.mystuff.gz", "ferry seed a.mystuff.gz --from things.xml",
    "ferry merge B.mystuff B.mystuff B.mystuff -o a.mystuff.gz",
  ])
  func `No command writes a package under the name of a compressed file`(_ line: String) async throws {
    try directory.write("things.xml", Self.things)
    expectQuiet(try await .ferry("convert", "things.xml", "-o", "B.mystuff"))
    expectFailure(
      try await .shell(line),
      "a.mystuff.gz: a package is a folder, which gzip cannot compress (leave out .gz)")
  }

  private static let things =
    "<things><whatsit><name>Boots</name><location>Hall</location></whatsit></things>"
}
