import Ferry
import TestSupport
import Testing

@testable import FerryTool

@Suite(.temporaryDirectory) struct `Outputs among the inputs` {
  /// Makes two folders with two equal files each, and a list with a name.
  private func makeFiles() async throws {
    let run = try await ToolRun.shell(
      #"""
      mkdir d; echo '{"n":1}' > d/a.json; echo '{"n":2}' > d/b.json; cp -r d e
      echo '[{"first":"Ada"}]' > a.json; cp a.json b.json; echo a.json > list
      """#)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `The standard output is not an input if it is a file in the folder of the inputs`() async throws
  {
    try await makeFiles()
    let run = try await ToolRun.shell(
      "ferry convert -r d --to jsonl > d/all.jsonl; echo $?; cat d/all.jsonl")
    #expect(run.output == "0\n{\"n\":1}\n{\"n\":2}\n", "\(run.output)")
    #expect(
      run.errors == "d/all.jsonl: left out, because this run writes it\n2 converted, 0 failed\n",
      "\(run.errors)")
    let appended = try await ToolRun.shell(
      "ferry convert -r d --to jsonl -q >> d/all.jsonl; echo $?; cat d/all.jsonl")
    #expect(appended.output == "0\n{\"n\":1}\n{\"n\":2}\n{\"n\":1}\n{\"n\":2}\n", "\(appended.output)")
    #expect(appended.errors == "", "\(appended.errors)")
  }

  @Test(
    arguments: ["check d", "find n d", "inspect d", "diff d e", "diff e d", "rename d --class A=B -n"],
    ["> d/out.json", ">> d/b.json"])
  func `A command leaves the file of its output out of a folder`(_ command: String, _ redirection: String)
    async throws
  {
    try await makeFiles()
    let file = String(redirection.drop { $0 != "d" })
    let run = try await ToolRun.shell("ferry \(command) \(redirection); echo $?")
    // No file has a class to rename.
    let status = command.hasPrefix("rename") ? 1 : 0
    #expect(run.output == "\(status)\n", "\(run.errors)")
    #expect(run.errors.hasPrefix("\(file): left out, because this run writes it\n"), "\(run.errors)")
    #expect(try !directory.text(file).contains(file))
  }

  @Test(arguments: ["check d", "find n d", "inspect d", "diff d e", "convert -r d --to jsonl"])
  func `The standard error is not an input if it is a file in the folder of the inputs`(_ command: String)
    async throws
  {
    try await makeFiles()
    let run = try await ToolRun.shell("ferry \(command) 2> d/errors.json; echo $?; cat d/errors.json")
    #expect(run.output.contains("0\n") && !run.output.contains("errors.json"), "\(run.output)")
  }

  @Test(arguments: [
    ("convert --to jsonl b.json a.json", 1), ("convert --to json --files-from list", 1), ("show a.json", 1),
    ("inspect a.json", 1), ("check b.json a.json", 1), ("find Ada a.json", 2), ("get a.json [0]", 1),
    ("diff a.json b.json", 2), ("diff b.json a.json", 2), ("set a.json [0].first Bo -o -", 1),
    ("set b.json [0].first --from-file a.json -o -", 1), ("patch b.json a.json -o -", 1),
    ("merge b.json a.json b.json", 1), ("schema infer a.json", 1), ("schema check --schema person a.json", 1),
    ("rename a.json --class A=B -n", 1), ("seed c.json --from a.json", 1), ("edit a.json -o -", 1),
  ])
  func `A named input that is the standard output is refused before anything is written`(
    _ command: String, _ status: Int
  ) async throws {
    try await makeFiles()
    let message =
      "a.json: the standard output is redirected to this file, which the run reads (give another file)\n"
    let run = try await ToolRun.shell("ferry \(command) >> a.json; echo $?; cmp a.json b.json")
    #expect(run.output == "\(status)\n", "\(run.output)")
    #expect(run.errors == message, "\(run.errors)")
    // The shell has made the file empty.
    let emptied = try await ToolRun.shell("ferry \(command) > a.json; echo $?")
    #expect(emptied.output == "\(status)\n" && emptied.errors == message, "\(emptied)")
    #expect(try directory.bytes("a.json").isEmpty)
  }

  @Test(arguments: [
    "plutil -p a.plist", "plutil -extract n raw b.plist a.plist", "plutil -lint b.plist a.plist",
    "plutil -convert json a.plist -o -", "plutil -convert binary1 a.plist", "plutil -type n - < a.plist",
    "plistbuddy -c Print a.plist", "plistbuddy b.plist < a.plist",
  ])
  func `A property list utility does not write its output to a file that it reads`(_ command: String)
    async throws
  {
    try directory.write("a.plist", "{ n = 1; }")
    let run = try await ToolRun.shell(
      "cp a.plist b.plist; ferry \(command) >> a.plist; echo $?; cmp a.plist b.plist")
    let name = command.contains("<") ? "standard input" : "a.plist"
    #expect(run.output == "1\n", "\(run.output)")
    let words = "the standard output is redirected to this file, which the run reads (give another file)\n"
    #expect(run.errors == "\(name): \(words)")
    for verb in ["Merge a.plist", "Import m a.plist"] {
      let merge = try await ToolRun.shell(
        "ferry plistbuddy -c '\(verb)' b.plist >> a.plist; echo $?; cmp a.plist b.plist")
      #expect(merge.output == "1\n" && merge.errors.contains("standard output is redirected"), "\(merge)")
    }
    expectQuiet(try await .shell("ferry plutil -create xml1 c.plist >> c.plist"))
  }

  @Test func `The standard input, a list of names and files of options are not the standard output`()
    async throws
  {
    try await makeFiles()
    let words = "the standard output is redirected to this file, which the run reads (give another file)\n"
    let input = try await ToolRun.shell("ferry convert --to jsonl < a.json >> a.json; echo $?")
    #expect(input.output == "1\n" && input.errors == "standard input: \(words)", "\(input)")
    let list = try await ToolRun.shell("ferry check --files-from list > list; echo $?")
    #expect(list.output == "1\n" && list.errors == "list: \(words)", "\(list)")
    try directory.write("b.xml", "<a/>")
    for option in ["--classes", "--types", "--schema", "--dtd"] {
      let file = try await ToolRun.shell("ferry convert b.xml --to json \(option) a.json >> a.json; echo $?")
      #expect(file.output == "1\n" && file.errors == "a.json: \(words)", "\(file)")
    }
    try directory.write(
      "types.json", #"{"ferry":1,"types":[{"name":"t","extensions":["t"],"schema":"s.json"}]}"#)
    try directory.write("s.json", "{}")
    let schema = try await ToolRun.shell("ferry convert b.xml --to json --types types.json > s.json; echo $?")
    #expect(schema.output == "1\n" && schema.errors.hasSuffix("s.json: \(words)"), "\(schema)")
    let device = try await ToolRun.shell(
      "ferry check a.json /dev/null > /dev/null; ferry show - < a.json | cat")
    #expect(!device.errors.contains("redirected") && device.output.contains("Ada"), "\(device)")
  }

  @Test func `The files of --report and -o are not inputs if they are in the folder of the inputs`()
    async throws
  {
    try await makeFiles()
    for (command, file, summary) in [
      (
        "convert -r d --to jsonl --out-dir o --force --report d/report.json", "d/report.json",
        "2 converted, 0 failed\n"
      ),
      ("convert -r d --include a.json --include all.json -o d/all.json --force", "d/all.json", ""),
      ("diff d e -o e/out.json --force --include a.json --include out.json", "e/out.json", ""),
    ] {
      let first = try await ToolRun.shell("ferry \(command) 2> /dev/null; echo $?")
      #expect(first.output == "0\n", "\(command)")
      let run = try await ToolRun.shell("ferry \(command)")
      #expect(run.status == 0, "\(command): \(run.errors)")
      #expect(
        run.errors.hasPrefix("\(file): left out, because this run writes it\n")
          && run.errors.hasSuffix(summary), "\(command): \(run.errors)")
    }
  }

  /// A check of an output or of a file that is found, which a run makes for each of its inputs.
  enum Check: CaseIterable {
    case claim, claimBesidePackage, folder, foundFile, foundFileWithRedirectedOutput
  }

  @Test(arguments: Check.allCases)
  func `A check takes no longer in a folder of many files than in one of few`(_ check: Check) throws {
    let sizes = [10, 2000]
    for size in sizes {
      try directory.makeDirectory("\(size)/T.mystuff")
      for number in 0..<size { try directory.write("\(size)/\(number).json", "1") }
    }
    try directory.write("out.jsonl", "")
    let output = try #require(Folder.identity(of: directory.path("out.jsonl")))
    try expectGrowth(from: sizes[0], to: sizes[1], lessThan: 6) { size in
      let folder = directory.path("\(size)")
      let (inputs, package) = ((0..<10).map { "\(folder)/\($0).json" }, "\(folder)/T.mystuff")
      let claims = OutputClaims(inputs: check == .claim ? inputs : inputs + [package])
      let outputs = RunOutputs(
        ["\(folder)/new.json"], standardOutput: check == .foundFileWithRedirectedOutput ? output : nil)
      return try processorTime {
        for number in 0..<100 {
          let (input, new) = (inputs[number % 10], "\(folder)/\(number).yaml")
          switch check {
          case .claim, .claimBesidePackage: try claims.claim(new, for: input)
          case .folder: try claims.checkIsOutside(folder: "\(new)/inner")
          case .foundFile, .foundFileWithRedirectedOutput:
            #expect(!outputs.leavesOut(input, isQuiet: true))
            #expect(!outputs.leavesOut("\(folder)/none.mystuff", isQuiet: true))
          }
        }
      }
    }
  }

  /// Makes packages with an image, alone and in a folder, and copies of them.
  private func makePackages() async throws {
    let run = try await ToolRun.shell(
      #"""
      echo '[{"name":"Robot","location":"Shelf"}]' > a.json
      ferry convert a.json --to things --schema whatsit -o T.mystuff; printf png > T.mystuff/image.png
      mkdir d; cp -R T.mystuff d; cp -R T.mystuff U.mystuff; cp -R T.mystuff V.mystuff
      ln -s T.mystuff/image.png link.png; ln -s T.mystuff sub
      """#)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(arguments: [
    "convert T.mystuff --to json -o T.mystuff/image.png --force",
    "convert T.mystuff --to json -o T.mystuff/x.json", "convert T.mystuff --to json -o link.png --force",
    "convert T.mystuff --to json -o sub/x.json", "convert T.mystuff --to json --out-dir T.mystuff",
    "convert a.json T.mystuff --to json --out-dir T.mystuff/new --force",
    "convert T.mystuff --to json --out-dir sub/new --dry-run",
    "convert T.mystuff -o T.mystuff/U.mystuff", "convert T.mystuff --to json -o x.json --extract T.mystuff",
    "convert T.mystuff --to sqlite --append -o T.mystuff/x.sqlite",
    "rename T.mystuff --class MyWhatsit=X --force --out-dir T.mystuff",
    "rename T.mystuff --class MyWhatsit=X --force --out-dir sub/new",
    "set T.mystuff [0].name Bo -o T.mystuff/U.mystuff", "edit T.mystuff -o T.mystuff/U.mystuff",
    "get T.mystuff [0].name -o T.mystuff/x.txt", "diff T.mystuff U.mystuff -o T.mystuff/image.png --force",
    "merge T.mystuff U.mystuff V.mystuff --to json -o T.mystuff/image.png --force",
    "merge U.mystuff V.mystuff T.mystuff -o sub/W.mystuff", "seed T.mystuff/x.json --from T.mystuff",
    "schema infer T.mystuff -o T.mystuff/x.schema.json",
  ])
  func `No output is written into a package that the run reads`(_ command: String) async throws {
    try await makePackages()
    let run = try await ToolRun.shell(
      "EDITOR=true ferry \(command) > out; echo $?; diff -r T.mystuff U.mystuff")
    #expect(run.output == "1\n" || run.output == "2\n", "\(run.output)")
    #expect(run.errors.contains(#"the output is inside "T.mystuff", which is an input"#), "\(run.errors)")
  }

  @Test(arguments: [
    "convert T.mystuff --to json", "show T.mystuff", "get T.mystuff [0].name", "diff T.mystuff U.mystuff",
    "diff U.mystuff T.mystuff", "find Robot T.mystuff", "check T.mystuff", "inspect T.mystuff",
    "merge U.mystuff V.mystuff T.mystuff --to json", "schema infer T.mystuff",
    "schema check --schema whatsit T.mystuff", "rename T.mystuff --class MyWhatsit=X -n",
    "set T.mystuff [0].name Bo", "seed c.json --from T.mystuff", "show sub/../T.mystuff",
  ])
  func `The standard output is not a file of a package that the run reads`(_ command: String) async throws {
    try await makePackages()
    for file in ["things.data", "image.png"] {
      let run = try await ToolRun.shell(
        "ferry \(command) >> T.mystuff/\(file); echo $?; diff -r T.mystuff U.mystuff")
      #expect(run.output == "1\n" || run.output == "2\n", "\(run.output)")
      #expect(
        run.errors.hasSuffix(
          "T.mystuff/\(file): the standard output is redirected to this file, which the run reads"
            + " (give another file)\n"), "\(run.errors)")
    }
    let other = try await ToolRun.shell("ferry \(command) > T.mystuff/new.txt; cat T.mystuff/new.txt")
    #expect(other.output == "" && other.errors.contains("T.mystuff/new.txt: the standard"), "\(other)")
  }

  @Test(arguments: ["T.mystuff/things.data", "sub/things.data"])
  func `A package is not replaced by the conversion of a file in it`(_ file: String) async throws {
    try await makePackages()
    let run = try await ToolRun.shell(
      "ferry convert \(file) -o T.mystuff --force; echo $?; diff -r T.mystuff U.mystuff")
    #expect(run.output == "1\n", "\(run.output)")
    #expect(
      run.errors.contains("the output T.mystuff would replace a file that it is made from"), "\(run.errors)")
  }

  @Test(arguments: [
    "find Robot d >> d/T.mystuff/things.data", "check d >> d/T.mystuff/image.png",
    "convert -r d --to jsonl >> d/T.mystuff/image.png",
    "convert -r d --to json --include T.mystuff --include b.json -o d/T.mystuff/x.json",
    "convert -r d --to json --out-dir d/T.mystuff/new", "convert -r d --to json --out-dir d/T.mystuff",
    "rename d --class MyWhatsit=X --force --out-dir d/T.mystuff/",
    "rename d --class MyWhatsit=X --force --out-dir d/T.mystuff/new",
  ])
  func `A package in a folder is not an input if the run writes a file in it`(_ command: String) async throws
  {
    try await makePackages()
    try directory.write("d/b.json", #"[{"n":1}]"#)
    let run = try await ToolRun.shell("ferry \(command); cmp d/T.mystuff/things.data U.mystuff/things.data")
    #expect(
      run.errors.hasPrefix("d/T.mystuff: left out, because this run writes a file in it\n"), "\(run.errors)")
    #expect(run.output == "", "\(run.output)")
  }
}
