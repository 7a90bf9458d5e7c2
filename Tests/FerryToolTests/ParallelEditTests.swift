import Foundation
import TestSupport
import Testing

/// Many runs at a time that change one document in place. All changes are kept, or refused and said.
@Suite(.temporaryDirectory) struct `Parallel edits` {
  /// A command line for each of the numbers from 0, which changes a document; and one that prints a line for each change kept.
  struct Edits: CustomTestStringConvertible, Sendable {
    var name: String
    var document: String
    var edit: String
    var kept: String
    var testDescription: String { "\(name) \(document)" }
  }

  /// The number of runs; `FERRY_PARALLEL_EDITS` sets it.
  private static let count =
    ProcessInfo.processInfo.environment["FERRY_PARALLEL_EDITS"].flatMap { Int($0) } ?? 8
  private static let numbers = (0..<count).map(String.init).joined(separator: " ")

  private static let makeFiles = """
    seq 0 \(count - 1) | sed 's/.*/{"itemKey":"k&","name":"old"}/' > new.jsonl
    ferry convert new.jsonl --schema none --to json -o a.json
    ferry convert a.json --schema none --to archive -o a.archive
    seq 0 \(count - 1) | sed 's/.*/{"name":"old&","location":"Shelf"}/' | ferry convert --from jsonl -o T.mystuff
    for i in \(numbers); do
      echo '[{"itemKey":"new'$i'","name":"n"}]' > seed$i.json
      echo '[{"name":"new'$i'","location":"Shelf"}]' > things$i.json
      sed "s/\\"k$i\\",\\"name\\":\\"old/\\"k$i\\",\\"name\\":\\"new/" a.json > theirs$i.json
    done
    cp a.json base.json
    ferry plutil -create xml1 p.plist; ferry plutil -insert list -array p.plist
    ferry insert a.archive '[]' --type json \
      '{"$class":"A"\((0..<count).map { #","k\#($0)":"v""# }.joined())}'
    """

  static let edits = [
    Edits(
      name: "set", document: "a.json", edit: "ferry set a.json [$i].name new",
      kept: "ferry get a.json '[*].name' | grep new"),
    Edits(
      name: "set", document: "a.archive", edit: "ferry set a.archive [$i].name new",
      kept: "ferry get a.archive '[*].name' | grep new"),
    Edits(
      name: "set", document: "T.mystuff", edit: "ferry set T.mystuff [$i].name new",
      kept: "ferry get T.mystuff '[*].name' | grep new"),
    Edits(
      name: "insert", document: "T.mystuff/things.data",
      edit: "ferry insert T.mystuff/things.data [$i].more new",
      kept: "ferry get T.mystuff '[*].more'"),
    Edits(
      name: "insert", document: "a.json", edit: "ferry insert a.json '[]' new --type string",
      kept: "ferry get a.json '[\(count):]' --to jsonl | grep new"),
    Edits(
      name: "plutil", document: "p.plist", edit: "ferry plutil -insert list -string new -append p.plist",
      kept: "ferry get p.plist 'list[*]'"),
    Edits(
      name: "plistbuddy", document: "p.plist", edit: "ferry plistbuddy -c 'Add :list: string new' p.plist",
      kept: "ferry get p.plist 'list[*]'"),
    Edits(
      name: "remove", document: "a.json", edit: "ferry remove a.json '[0]'",
      kept: "seq $((\(count) - $(ferry get a.json '[*].name' | wc -l)))"),
    Edits(
      name: "remove", document: "T.mystuff", edit: "ferry remove T.mystuff [$i].location --force",
      kept: "seq $((\(count) - $(ferry get T.mystuff '[*].location' | wc -l)))"),
    Edits(
      name: "rename", document: "a.archive", edit: "ferry rename a.archive --key A.k$i=n$i",
      kept: "ferry convert a.archive --to json --quiet | tr , '\\n' | grep -o '\"n[0-9][0-9]*\"'"),
    Edits(
      name: "seed --merge", document: "a.json",
      edit: "ferry seed a.json --from seed$i.json --schema thing.json --merge --key itemKey -q",
      kept: "ferry get a.json '[*].itemKey' | grep new"),
    Edits(
      name: "seed --merge", document: "T.mystuff",
      edit: "ferry seed T.mystuff --from things$i.json --merge --key name -q",
      kept: "ferry get T.mystuff '[*].name' | grep new"),
    Edits(
      name: "merge -o", document: "a.json",
      edit: "ferry merge base.json a.json theirs$i.json --key itemKey --schema none -o a.json --force",
      kept: "ferry get a.json '[*].name' | grep new"),
    Edits(
      name: "merge --git", document: "a.json",
      edit: "ferry merge base.json a.json theirs$i.json --key itemKey --schema none --git a.json",
      kept: "ferry get a.json '[*].name' | grep new"),
    Edits(
      name: "set beside convert -i", document: "a.json",
      edit:
        "{ ferry convert -i a.json --schema none --to json --pretty & ferry set a.json [$i].name new; r=$?; wait; (exit $r); }",
      kept: "ferry get a.json '[*].name' | grep new"),
    Edits(
      name: "set beside seed --merge", document: "T.mystuff",
      edit:
        "{ ferry seed T.mystuff --from things$i.json --merge --key name -q & ferry set T.mystuff [$i].location new; r=$?; wait; (exit $r); }",
      kept: "ferry get T.mystuff '[*].location' | grep new"),
    Edits(
      name: "edit", document: "a.json",
      edit: #"EDITOR='sed -i s/k'$i'\",\"name\":\"old/k'$i'\",\"name\":\"new/' ferry edit a.json </dev/null"#,
      kept: "ferry get a.json '[*].name' | grep new"),
  ]

  @Test(arguments: edits) func `No parallel edit is lost in silence`(_ edits: Edits) async throws {
    let run = try await ToolRun.shell(
      """
      export TMPDIR=$PWD/temporary; mkdir temporary
      echo '{"ferry":1,"name":"thing","fields":[{"name":"itemKey"},{"name":"name"}]}' > thing.json
      \(Self.makeFiles)
      for i in \(Self.numbers); do (\(edits.edit); echo $? > status$i) 2> error$i & done; wait
      for i in \(Self.numbers); do [ $(cat status$i) = 0 ] && echo done || cat error$i; done
      echo kept; \(edits.kept)
      """)
    let parts = run.output.split(separator: "kept\n", maxSplits: 1, omittingEmptySubsequences: false)
    let done = parts.first?.split(separator: "\n").count { $0 == "done" } ?? 0
    let kept = parts.last?.split(separator: "\n").count ?? 0
    #expect(kept == done, "\(run.output) \(run.errors)")
    // Only an editor is open while nobody has the lock.
    #expect(edits.name == "edit" ? done > 0 : done == Self.count, "\(run.output)")
    let refused = run.output.split(separator: "\n").count {
      $0.contains("another program has changed the file meanwhile")
    }
    #expect(refused == Self.count - done, "\(run.output)")
    #expect(try directory.names().filter { $0.hasPrefix(".") } == [])
    #expect(try directory.names(in: "T.mystuff") == ["things.data"])
  }

  @Test func `An edit that waits for its value keeps no other edit from going on`() async throws {
    try directory.write("a.json", #"{"x":1,"y":1}"#)
    let run = try await ToolRun.shell(
      """
      mkfifo value
      ferry set a.json x - < value & exec 3> value
      ferry set a.json y 2; echo $?
      echo 2 >&3; exec 3>&-; wait
      """)
    expectQuiet(run)
    #expect(run.output == "0\n")
    #expect(try directory.text("a.json") == #"{"x":2,"y":2}"#)
  }

  @Test func `An edit goes on if another program has only touched the file`() async throws {
    try directory.write("a.json", "[1]\n")
    try directory.write(
      "editor.sh", "sed -i s/1/2/ \"$1\"; touch -d 2020-01-01 a.json; cat a.json > b; mv b a.json\n")
    expectQuiet(try await .shell("TMPDIR=$PWD EDITOR='sh editor.sh' ferry edit a.json </dev/null"))
    #expect(try directory.text("a.json") == "[2]\n")
  }

  @Test func `An edit whose text meets another's is kept, shown with the changes, and offered again`()
    async throws
  {
    try directory.write("a.json", "{\n  \"x\": 1,\n  \"y\": 1\n}\n")
    try directory.write("editor.sh", "sed -i 's/\"x\": 1/\"x\": 2/' \"$1\"; ferry set a.json y 3\n")
    let run = try await ToolRun.shell("TMPDIR=$PWD EDITOR='sh editor.sh' ferry edit a.json </dev/null")
    #expect(run.status == 1)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 6)
    #expect(
      lines.first
        == "a.json: another program has changed the file meanwhile; its changes stay, and nothing was written (try again)"
    )
    #expect(lines.dropFirst().prefix(3) == ["from line 3:", "-   \"y\": 1", "+   \"y\": 3"])
    #expect(try directory.text("a.json") == "{\n  \"x\": 1,\n  \"y\": 3\n}\n")
    let text = try #require(try directory.names().first { $0.hasPrefix("ferry-") })
    #expect(try directory.text(text) == "{\n  \"x\": 2,\n  \"y\": 1\n}\n")
    #expect(lines.last?.hasSuffix(text) == true)
  }
}
