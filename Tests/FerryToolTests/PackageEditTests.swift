import Foundation
import TestSupport
import Testing

/// Makes the package `T.mystuff`, in which the first of two things names the image `image.png`, and an
/// image `other.png`, a folder, a link and a text beside them.
private func makePackage() async throws {
  try directory.write(
    "things.xml",
    """
    <things>
      <whatsit><name>Robot</name><location>Shelf</location><imageKey>image.png</imageKey></whatsit>
      <whatsit><name>Boots</name><location>Hall</location></whatsit>
    </things>
    """)
  expectQuiet(
    try await .shell(
      """
      image() { printf '\\211PNG\\r\\n\\032\\n%s' "$2" > "$1"; }
      image image.png robot && ferry convert things.xml -o T.mystuff && cd T.mystuff || exit
      image other.png lamp; echo text > text.png; mkdir folder; ln -s image.png link.png
      """))
}

/// A command line of the tests: arguments apart by spaces, of which none contains one.
private func run(_ arguments: String) async throws -> ToolRun {
  try await .ferry(arguments.split(separator: " ").map(String.init))
}

private let imageKey = #"[0]["image.key"]"#

@Suite(.temporaryDirectory) struct `Errors in the records of a package` {
  @Test(arguments: [
    "get T.mystuff", "show T.mystuff", "convert T.mystuff --to json", "check T.mystuff", "inspect T.mystuff/",
    "find x T.mystuff", "set T.mystuff [0].name x",
  ])
  func `An error at a location in a package names the file with the records`(_ line: String) async throws {
    try directory.makeDirectory("T.mystuff")
    try directory.write("T.mystuff/things.data", "{\n \"a\": ")
    let run = try await run(line)
    #expect(run.status != 0 && run.errors.hasPrefix("T.mystuff/things.data:2:7: "), "\(run.errors)")
  }
}

@Suite(.temporaryDirectory) struct `Edits of the names of files in a package` {
  private static let newThing = #"{"$class":"MyWhatsit","name":"N","location":"L","image.key":"no.png"}"#

  @Test(arguments: [
    ("set T.mystuff \(imageKey) no.png", #"the package has no file "no.png""#, "[0].imageKey"),
    ("set T.mystuff/ \(imageKey) no.png", #"the package has no file "no.png""#, "[0].imageKey"),
    ("set T.mystuff/things.data \(imageKey) no.png", #"the package has no file "no.png""#, "[0].imageKey"),
    ("set T.mystuff \(imageKey) no.png -o U.mystuff", #"the package has no file "no.png""#, "[0].imageKey"),
    ("set T.mystuff \(imageKey) no.png -o U.bak", #"the package has no file "no.png""#, "[0].imageKey"),
    ("insert T.mystuff [] \(newThing) --type json", #"the package has no file "no.png""#, "[2].imageKey"),
    (#"insert T.mystuff [1]["image.key"] no.png"#, #"the package has no file "no.png""#, "[1].imageKey"),
    (
      "set T.mystuff \(imageKey) things.data",
      #""things.data" cannot be a file of a package: the records are in it"#, "[0].imageKey"
    ),
    (
      "set T.mystuff \(imageKey) ../image.png",
      #""../image.png" cannot be a file of a package: it leads out of the package"#, "[0].imageKey"
    ),
    ("set T.mystuff \(imageKey) folder", #""folder" is a folder"#, "[0].imageKey"),
    (
      "set T.mystuff \(imageKey) link.png", #""link.png" is a symbolic link, which is not followed"#,
      "[0].imageKey"
    ),
    ("set T.mystuff \(imageKey) text.png", #""text.png" is not a PNG image"#, "[0].imageKey"),
    ("edit T.mystuff", #"the package has no file "no.png""#, "[0].imageKey"),
    ("edit T.mystuff -o U.mystuff", #"the package has no file "no.png""#, "[0].imageKey"),
  ])
  func `An edit that names a missing file of a package is refused, unless forced`(
    _ line: String, _ problem: String, _ path: String
  ) async throws {
    try await makePackage()
    try directory.makeDirectory("temporary")
    let (records, names) = (try directory.bytes("T.mystuff/things.data"), try directory.names())
    let command = "EDITOR='sed -i s/image.png/no.png/' ferry '\(line.replacing(" ", with: "' '"))'"
    let name = line.split(separator: " ")[1]
    let refused = try await ToolRun.shell("TMPDIR=$PWD/temporary " + command + " < /dev/null")
    #expect(refused.status == 1)
    #expect(
      refused.errors.hasPrefix(
        "\(name): after this edit the package is not a things document: \(problem) (--force writes it anyway) "
          + "(at \(path))\n"), "\(refused.errors)")
    #expect(try directory.bytes("T.mystuff/things.data") == records)
    #expect(try directory.names() == names)
    let forced = try await ToolRun.shell(command + " --force")
    #expect(forced.status == 0, "\(forced.errors)")
  }

  @Test(arguments: [
    "set T.mystuff \(imageKey) other.png", "set T.mystuff [1].name Shoes", "remove T.mystuff \(imageKey)",
    #"insert T.mystuff [1]["image.key"] other.png"#, "set T.mystuff \(imageKey) other.png -o U.mystuff",
    "remove T.mystuff [0]",
  ])
  func `An edit that names an existing file leaves a package that can be converted`(_ line: String)
    async throws
  {
    try await makePackage()
    let edited = try await run(line)
    #expect(edited.status == 0, "\(edited.errors)")
    let name = line.contains("U.mystuff") ? "U.mystuff" : "T.mystuff"
    let converted = try await ToolRun.ferry("convert", name, "--to", "json", "-o", "out.json")
    #expect(converted.status == 0, "\(converted.errors)")
  }

  @Test func `An edit leaves a name that was wrong before, and adds none`() async throws {
    try await makePackage()
    try FileManager.default.removeItem(atPath: directory.path("T.mystuff/image.png"))
    expectQuiet(try await run("set T.mystuff [0].name Robby"))
    #expect(try await run("set T.mystuff \(imageKey) no.png").status == 1)
    expectQuiet(try await run("set T.mystuff \(imageKey) other.png"))
  }

  @Test(arguments: [
    "remove T.mystuff [0]", "remove T.mystuff \(imageKey)", "set T.mystuff \(imageKey) other.png",
    "remove T.mystuff/things.data [0]", "remove T.mystuff [0] -o U.mystuff", "edit T.mystuff",
    "set T.mystuff \(imageKey) other.png --force", "remove T.mystuff [0] --dry-run",
    "rename T.mystuff --key MyWhatsit.image.key=img",
    "rename T.mystuff/things.data --key MyWhatsit.image.key=img",
    "rename T.mystuff --key MyWhatsit.image.key=img --out-dir U",
  ])
  func `An edit reports the image that stays without a record`(_ line: String) async throws {
    try await makePackage()
    let command = "EDITOR='sed -i s/image.png/other.png/' ferry '\(line.replacing(" ", with: "' '"))'"
    let edited = try await ToolRun.shell(command)
    #expect(edited.status == 0)
    let name = line.split(separator: " ")[1]
    #expect(
      edited.errors == "\(name): no record names \"image.png\" any more (the file stays in the package)\n")
    let package =
      line.contains("U.mystuff") ? "U.mystuff" : line.contains("--out-dir") ? "U/T.mystuff" : "T.mystuff"
    #expect(try directory.names(in: package).contains("image.png"))
  }

  @Test func `An edit is quiet about an image that another record names`() async throws {
    try await makePackage()
    expectQuiet(try await run(#"insert T.mystuff [1]["image.key"] image.png"#))
    expectQuiet(try await run("remove T.mystuff [0]"))
  }

  @Test func `The file with the records is not exported as an image`() async throws {
    try await makePackage()
    #expect(try await run("set T.mystuff \(imageKey) things.data --force").status == 0)
    expectFailure(
      try await run("convert T.mystuff --to json -o out.json"),
      #"T.mystuff: "things.data" cannot be a file of a package: the records are in it (at [0].imageKey)"#)
    #expect(try !directory.names().contains("out.json"))
  }
}

@Suite(.temporaryDirectory) struct `Names of edited copies` {
  private func makeDocuments() async throws {
    try await makePackage()
    try directory.write("n.json", #"{"a":1}"#)
    try directory.write(
      "x.plist", "<plist version=\"1.0\"><dict><key>a</key><integer>1</integer></dict></plist>")
    expectQuiet(
      try await .shell(
        """
        ferry convert n.json --to plist-binary -o b.plist; cp x.plist library.xml; cp x.plist odd.json
        ferry convert n.json --to archive -o a.archive; ferry convert n.json --to archive-xml -o ax.plist
        printf '{"a":1}\\n' > l.jsonl; printf '<r><a>1</a></r>' > d.xml
        """))
  }

  @Test(arguments: [
    ("n.json", "y.mystuff", "a package of type things", "JSON"),
    ("n.json", "y.pplgrp", "a keyed archive", "JSON"),
    ("n.json", "y.plist", "an XML property list", "JSON"), ("n.json", "y.JSONL", "JSON Lines", "JSON"),
    ("n.json", "y.db", "an SQLite database", "JSON"),
    ("x.plist", "y.json", "JSON", "an XML property list"),
    ("x.plist", "y.bplist", "a binary property list", "an XML property list"),
    ("x.plist", "y.archive", "a keyed archive", "an XML property list"),
    ("b.plist", "y.xml", "XML", "a binary property list"),
    ("b.plist", "y.txt", "text", "a binary property list"),
    ("a.archive", "y.json", "JSON", "a keyed archive"),
    ("T.mystuff/things.data", "y.mystuff", "a package of type things", "a keyed archive"),
    ("T.mystuff", "y.json", "JSON", "a package of type things"),
    ("T.mystuff", "y.archive", "a keyed archive", "a package of type things"),
    ("T.mystuff", "y.plist", "an XML property list", "a package of type things"),
  ])
  func `A copy is refused the extension of another kind of document`(
    _ name: String, _ output: String, _ other: String, _ own: String
  ) async throws {
    try await makeDocuments()
    let names = try directory.names()
    try directory.makeDirectory("temporary")
    let path = name.hasPrefix("T.") ? "'[0].name'" : "a"
    let words =
      "\(output): the extension is for \(other), but the document stays \(own) "
      + "(use ferry convert to convert it)"
    for command in [
      "set \(name) \(path) 5",
      "insert \(name) \(path.replacing("name", with: "new").replacing("a", with: "b")) 5",
      "remove \(name) \(path)", "set \(name) \(path) 5 --dry-run", "set \(name) \(path) 5 --force",
      "edit \(name)",
    ] {
      let run = try await ToolRun.shell(
        "TMPDIR=$PWD/temporary EDITOR='echo opened;:' ferry \(command) -o \(output) < /dev/null")
      expectFailure(run, words)
    }
    #expect(try directory.names(in: "temporary").isEmpty)
    #expect(try directory.names() == (names + ["temporary"]).sorted())
  }

  @Test(arguments: [
    ("n.json", ["y.json", "y.txt", "y.bak", "y", "y.weird"]), ("odd.json", ["y.json", "y.plist"]),
    ("x.plist", ["y.plist", "y.xml", "y.txt", "y.stringsdict"]), ("library.xml", ["y.xml", "y.plist"]),
    ("b.plist", ["y.plist", "y.bplist", "y.terminal"]),
    ("a.archive", ["y.archive", "y.keyedarchive", "y.plist", "y.bplist", "y.sfl2"]),
    ("ax.plist", ["y.archive", "y.plist", "y.xml"]),
  ])
  func `A copy of any other name has the bytes of the edit in place`(_ name: String, _ outputs: [String])
    async throws
  {
    try await makeDocuments()
    for output in outputs { expectQuiet(try await run("set \(name) a 5 -o \(output)")) }
    expectQuiet(try await run("set \(name) a 5"))
    for output in outputs { #expect(try directory.bytes(output) == directory.bytes(name), "\(output)") }
  }

  @Test func `A copy of an edited text keeps the kind, too`() async throws {
    try await makeDocuments()
    for (name, output) in [("l.jsonl", "y.json"), ("d.xml", "y.plist"), ("things.xml", "y.mystuff")] {
      let edited = try await ToolRun.shell(
        "EDITOR='echo opened;:' ferry edit \(name) -o \(output) < /dev/null")
      #expect(edited.status == 1 && edited.output == "")
      #expect(edited.errors.hasPrefix("\(output): the extension is for "), "\(edited.errors)")
    }
    expectQuiet(try await .shell("EDITOR='sed -i s/1/2/' ferry edit d.xml -o y.svg && grep -q 2 y.svg"))
  }

  @Test func `A copy of a package is a whole package, also without an extension`() async throws {
    try await makeDocuments()
    for output in ["Y.mystuff", "Y", "Y.bak"] {
      expectQuiet(try await run("set T.mystuff [0].name X -o \(output)"))
      #expect(try directory.names(in: output) == directory.names(in: "T.mystuff"))
    }
    // A path that leads to the package itself is an edit in place.
    expectQuiet(try await run("set T.mystuff [0].name X -o T.mystuff"))
    expectQuiet(try await run("set T.mystuff [0].name X -o ./T.mystuff/ --force"))
    expectQuiet(try await .shell("diff -r T.mystuff Y"))
    expectFailure(
      try await run("set T.mystuff [0].name X -o -"),
      "standard output: a package cannot be written to the standard output (use -o PATH)")
    expectFailure(
      try await run("merge n.json n.json n.json -o y.mystuff"),
      "y.mystuff: the extension is for a package of type things, but the document stays JSON "
        + "(use ferry convert to convert it)")
  }
}

// The time limit only ends a command that waits for the other end of a pipe. A command that waits takes no processor time.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10))) struct `Pipes and devices` {
  @Test(arguments: [
    ("set pipe a 3", "ferry set - a 3 < pipe writes the result to the standard output"),
    ("insert pipe b 3", "ferry insert - b 3 < pipe writes the result to the standard output"),
    ("remove pipe a", "ferry remove - a < pipe writes the result to the standard output"),
    ("edit pipe", "cat pipe > FILE makes a file that can be edited"),
    ("edit pipe -o pipe", "cat pipe > FILE makes a file that can be edited"),
    ("rename pipe --class A=B", "ferry rename - --class A=B < pipe writes the result to the standard output"),
    ("set link a 3", "ferry set - a 3 < link writes the result to the standard output"),
    ("rename link --class A=B", "ferry rename - --class A=B < link writes the result to the standard output"),
    ("set pipe a 3 -o pipe", nil), ("convert pipe --to json -i", nil),
    ("merge n.json pipe n.json -o pipe --force", nil), ("merge n.json pipe n.json --git pipe", nil),
    ("merge pipe n.json n.json -o pipe --force", nil),
    ("seed pipe --from n.json --merge --key a --to json", nil),
  ])
  func `A pipe is not edited in place, and nothing waits for its other end`(
    _ line: String, _ hint: String?
  ) async throws {
    try directory.write("n.json", #"{"a":1}"#)
    let run = try await ToolRun.shell(
      "mkfifo pipe; ln -s pipe link; EDITOR=true ferry \(line) < /dev/null")
    let name = line.contains("link") ? "link" : "pipe"
    expectFailure(run, "\(name): this is neither a file nor a folder" + (hint.map { " (\($0))" } ?? ""))
    #expect(try directory.names() == ["link", "n.json", "pipe"])
  }

  @Test func `A pipe is read for another output, and written for another input`() async throws {
    try directory.write("n.json", #"{"a":1}"#)
    let run = try await ToolRun.shell(
      """
      mkfifo in out
      cat n.json > in & ferry set in a 2 -o made.json && cat made.json; wait
      cat out & ferry set n.json a 3 -o out; wait
      ferry merge /dev/null n.json n.json -o /dev/null --force
      """)
    expectQuiet(run)
    #expect(run.output == #"{"a":2}{"a":3}"#)
  }
}
