import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Sets in binary property lists` {
  @Test
  func `A set of a binary property list comes back from the typed form, which says what few programs read`()
    async throws
  {
    try directory.write("a.json", #"{"$ferry":1,"$value":{"s":{"$set":[1]}}}"#)
    let run = try await ToolRun.ferry(
      "convert", "a.json", "--to", "plist-binary", "-o", "a.plist", "--strict")
    #expect(run.status == 0)
    #expect(
      run.errors
        == "a.json: sets stay sets, as the typed form has them; few programs read sets in property lists\n")
    let back = try await ToolRun.shell(
      """
      ferry convert a.plist --to plist-binary -o - | cmp - a.plist || exit 2
      ferry convert a.plist --form typed --to json | ferry convert --to plist-binary -o - -q | cmp - a.plist || exit 3
      ferry convert a.plist --to json
      """)
    #expect(back.status == 0)
    #expect(back.output == "{\"s\":[1]}\n")
    #expect(back.errors == "a.plist: not exact: sets become arrays (1)\n")
  }

  @Test func `A set of an archive is an array in a binary property list, which is reported`() async throws {
    try directory.write(
      "a.json",
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"s":{"$class":"NSSet","$items":[1]}}}}"#)
    let run = try await ToolRun.shell(
      """
      ferry convert a.json --to archive -o a.archive && ferry convert a.archive --to json -q
      ferry set a.archive s '{"$set":[2]}' --type json && ferry get a.archive s
      """)
    #expect(run.output == "{\"s\":[1]}\n[2]\n")
  }
}

@Suite(.temporaryDirectory) struct `Values that are a dash` {
  @Test func `A dash is the standard input, and after two dashes a value`() async throws {
    try directory.write("a.json", #"{"a":"x"}"#)
    expectQuiet(try await .shell("echo y | ferry set a.json a -"))
    #expect(try directory.text("a.json") == #"{"a":"y"}"#)
    expectQuiet(try await .shell("echo z | ferry set a.json a -- -"))
    #expect(try directory.text("a.json") == #"{"a":"-"}"#)
    expectQuiet(try await .shell("echo z | ferry insert --type string -- a.json b -"))
    #expect(try directory.text("a.json") == #"{"a":"-","b":"-"}"#)
    let piped = try await ToolRun.shell("ferry set - a -- - < a.json")
    #expect(piped.output == #"{"a":"-","b":"-"}"#)
    #expect(piped.errors == "")
  }

  @Test(arguments: ["/a/-", #"a["-"]"#], ["get", "set", "insert"])
  func `The place after the last element of a JSON pointer has a hint`(_ path: String, _ command: String)
    async throws
  {
    try directory.write("a.json", #"{"a":[1,2]}"#)
    let run = try await ToolRun.ferry([command, "a.json", path] + (command == "get" ? [] : ["9"]))
    #expect(run.status == 1)
    #expect(run.errors.contains(#"no key "-" here: this is an array of 2"#), "\(run.errors)")
    #expect(run.errors.contains("; [] is after the last"), "\(run.errors)")
  }

  @Test func `A dash is the standard input, also beside a file of this name`() async throws {
    try directory.write("-", "x")
    try directory.write("a.json", #"{"a":1}"#)
    let run = try await ToolRun.shell("ferry set - a 2 < a.json")
    #expect(run.output == #"{"a":2}"#)
    #expect(run.errors == "")
  }
}
