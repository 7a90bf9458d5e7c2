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
    #expect(run.errors.contains("; write [] for the position after the last"), "\(run.errors)")
  }

  @Test func `A dash is the standard input, also beside a file of this name`() async throws {
    try directory.write("-", "x")
    try directory.write("a.json", #"{"a":1}"#)
    let run = try await ToolRun.shell("ferry set - a 2 < a.json")
    #expect(run.output == #"{"a":2}"#)
    #expect(run.errors == "")
  }
}

@Suite(.temporaryDirectory) struct `Several edits in one call` {
  private static let text = #"{"a":1,"b":"x","l":[1,2,3]}"#

  @Test(arguments: [
    ("set a.json a 5 b y", #"{"a":5,"b":"y","l":[1,2,3]}"#),
    ("set a.json a -5 'l[0]' -6", #"{"a":-5,"b":"x","l":[-6,2,3]}"#),
    ("set a.json b y a -5 'l[1]' 7", #"{"a":-5,"b":"y","l":[1,7,3]}"#),
    ("set a.json b -- -x b -y", #"{"a":1,"b":"-y","l":[1,2,3]}"#),
    ("set a.json a true b false --type boolean", #"{"a":true,"b":false,"l":[1,2,3]}"#),
    ("set a.json b y 'l[]' 4 'l[3]' 5 --insert", #"{"a":1,"b":"y","l":[1,2,3,5]}"#),
    ("insert a.json 'l[0]' 0 'l[1]' 9", #"{"a":1,"b":"x","l":[0,9,1,2,3]}"#),
    ("remove a.json 'l[0]' 'l[1]' a", #"{"b":"x","l":[3]}"#),
    ("remove a.json b 'l[-1]' 'l[0]'", #"{"a":1,"l":[2]}"#),
  ])
  func `Several values are changed in one write`(_ line: String, _ expected: String) async throws {
    try directory.write("a.json", Self.text)
    expectQuiet(try await .shell("ferry \(line)"))
    #expect(try directory.text("a.json") == expected)
  }

  @Test(arguments: [
    ("set a.json a 5 x 6", #"a.json: no key "x" here"#),
    ("set a.json a 5 'l[0]' y", #"a.json: "y" does not fit here: the value is a number"#),
    ("insert a.json c 5 a 6", #"a.json: the key "a" already exists"#),
    ("remove a.json a x", #"a.json: no key "x" here"#),
  ])
  func `Several values are changed only if all can be`(_ line: String, _ message: String) async throws {
    try directory.write("a.json", Self.text)
    let run = try await ToolRun.shell("ferry \(line)")
    #expect(run.status == 1)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(try directory.text("a.json") == Self.text)
  }

  @Test func `One of several values may be the standard input`() async throws {
    try directory.write("a.json", Self.text)
    expectQuiet(try await .shell("echo y | ferry set a.json a 2 b -"))
    #expect(try directory.text("a.json") == #"{"a":2,"b":"y","l":[1,2,3]}"#)
    expectQuiet(try await .shell("echo z | ferry set a.json b - a 3"))
    #expect(try directory.text("a.json") == #"{"a":3,"b":"z","l":[1,2,3]}"#)
    expectQuiet(try await .shell("echo w | ferry set a.json a -5 b -"))
    #expect(try directory.text("a.json") == #"{"a":-5,"b":"w","l":[1,2,3]}"#)
  }

  @Test(arguments: ["find -5 a.json", "find -c -5 a.json -x", "find a.json -e=-5"])
  func `A negative number is found as a text`(_ line: String) async throws {
    try directory.write("a.json", #"{"a":-5,"b":7}"#)
    let run = try await ToolRun.shell("ferry \(line)")
    #expect(run.output == (line.contains("-c") ? "1\n" : "a: -5\n"))
    #expect(run.errors == "")
  }

  @Test(arguments: [
    (
      "insert a.xml r.q.0 x",
      #"a.xml: no key "0" here: this is a string (write r.q[0] for an element before it, "#
    ),
    (
      "set a.xml r.q.- x --insert",
      #"a.xml: no key "-" here: this is a string (write r.q[0] for an element before "#
    ),
    ("copy a.xml r.n r.q.0", #"no key "0" here: this is a string (at r.q)"#),
    ("insert a.xml r.n.0 x", ##"a.xml: r.n is not a list, so "0" is a new key, with the element <_x0030_>"##),
    (
      ##"insert a.xml r.z '{"#content": ["a"]}' --type json"##,
      ##"cannot put the value here: the key "#content" is only"##
    ),
  ])
  func `A key or value that XML does not have as such is answered`(_ line: String, _ message: String)
    async throws
  {
    try directory.write("a.xml", "<r><q>a</q><n><m>1</m></n></r>")
    let run = try await ToolRun.shell("ferry \(line)")
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test(arguments: [
    ("set a.json b=y", "no value: a path and its value are two arguments (write: ferry set a.json b y)"),
    ("set a.json 'l[n=1].b=x y'", "(write: ferry set a.json 'l[n=1].b' 'x y')"),
    ("set b=y a.json", "(write: ferry set a.json b y)"),
    ("set a.json a=1 b=2", "two arguments (write: ferry set a.json a 1 b 2, or a key with an equals sign in"),
    ("insert a.json 'c=x y' d=2", "(write: ferry insert a.json c 'x y' d 2, or a key with"),
    ("insert a.json c=y", "(write: ferry insert a.json c y)"),
    ("set a.json b = y", "no sign between a path and its value (write: ferry set a.json b y)"),
    (
      "set a.json b x y", #"no value for the path "y": each path has one (put a value with spaces in quotes)"#
    ),
    ("set a.json a - b -", "the standard input can be the value of one path"),
    ("set a.json a 1 --from-file v b 2", "--from-file takes one path"),
    ("set a.json 'l[n=1]'", "no value: give one after the path"),
    ("set a.json a -x b 2", "'-x' (write -- before a value that begins with a dash)"),
    ("set a.json a -5 b -x", "'-x' (write -- before a value that begins with a dash)"),
    ("insert a.json c 1 d -hello", "'-hello' (write -- before a value that begins with a dash)"),
    ("set a.json a 5 -z 6", #"'-z' (write the path of a key that begins with a dash as '["-z"]')"#),
    ("set a.json a -5 -5 b", #"'-5' (write the path of a key that begins with a dash as '["-5"]')"#),
    ("set a.json a 5 --dry-rum b", "Unknown option '--dry-rum'. Did you mean '--dry-run'?"),
    ("set a.json -- a 5 --dry-run", "--dry-run after -- is a path without a value (write options before"),
    ("move a.json b -x", #"'-x' (write the path of a key that begins with a dash as '["-x"]')"#),
    ("move a.json a -- c --dry-run", "Unexpected argument '--dry-run' (write options before --)"),
  ])
  func `Arguments that are not pairs of a path and a value are answered`(
    _ line: String, _ message: String
  ) async throws {
    try directory.write("a.json", Self.text)
    let run = try await ToolRun.shell("ferry \(line) < /dev/null")
    #expect(run.status == 64)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(try directory.text("a.json") == Self.text)
  }

  @Test(arguments: [
    ("get a.json -- --raw", #"no key "--raw" here; the keys are "a", "b", "l" (write options before --)"#),
    ("set a.json a -- -5 -o b.json", "(use insert to add it; write options before --)"),
    ("remove a.json -- --dry-run", "(write options before --)"),
  ])
  func `An option after the end of the options is answered`(_ line: String, _ message: String) async throws {
    try directory.write("a.json", Self.text)
    let run = try await ToolRun.shell("ferry \(line)")
    #expect(run.status == 1)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(try directory.text("a.json") == Self.text)
  }
}

@Suite(.temporaryDirectory) struct `Elements beside objects of a class` {
  @Test func `A dictionary that is inserted beside an object of a class gets a note with the class`()
    async throws
  {
    try directory.write(
      "typed.json",
      #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":{"l":[{"$class":"Friend","n":1}],"m":[{"n":1}]}}}"#
    )
    expectQuiet(try await .ferry("convert", "typed.json", "-o", "a.archive", "--to", "archive"))
    for path in ["l[]", "l[0]"] {
      let run = try await ToolRun.ferry("insert", "a.archive", path, #"{"n":2}"#, "--type", "json", "-n")
      #expect(run.status == 0)
      #expect(
        run.errors.hasPrefix("a.archive: the new element is a dictionary beside an object of the class"))
      #expect(run.errors.contains(#""$class": "Friend" makes one"#), "\(run.errors)")
    }
    for (path, value) in [("l[]", #"{"$class":"Friend","n":2}"#), ("l[]", "[1]"), ("m[]", #"{"n":2}"#)] {
      expectQuiet(try await .ferry("insert", "a.archive", path, value, "--type", "json", "-n"))
    }
  }
}
