import Foundation
import TestSupport
import Testing

/// An array of the string “Ada” and the number 36, in the older archives of a Mac.
private let typedstream: [UInt8] =
  [4, 11] + Array("streamtyped".utf8) + [0x81, 0xe8, 0x03]
  + [0x84, 1] + Array("@".utf8) + [0x84]
  + [0x84, 0x84, 14] + Array("NSMutableArray".utf8) + [0]
  + [0x84, 0x84, 7] + Array("NSArray".utf8) + [0]
  + [0x84, 0x84, 8] + Array("NSObject".utf8) + [0, 0x85]
  + [0x84, 1] + Array("i".utf8) + [2]
  + [0x92, 0x84, 0x84, 0x84, 8] + Array("NSString".utf8) + [1, 0x95]
  + [0x84, 1] + Array("+".utf8) + [3] + Array("Ada".utf8) + [0x86]
  + [0x92, 0x84, 0x84, 0x84, 8] + Array("NSNumber".utf8) + [0]
  + [0x84, 0x84, 7] + Array("NSValue".utf8) + [0, 0x95]
  + [0x84, 1] + Array("*".utf8) + [0x84, 0x96, 0x96, 36, 0x86, 0x86]

@Suite(.temporaryDirectory) struct `Typedstreams` {
  private func file(_ name: String) throws -> URL { URL(filePath: directory.path + "/" + name) }

  @Test(arguments: ["json", "jsonl", "xml", "plist-xml", "plist-binary", "archive", "archive-xml"])
  func `A typedstream is converted to every format`(format: String) async throws {
    let run = try await ToolRun.ferry(["convert", "--to", format, "-o", "out"], input: typedstream)
    #expect(run.status == 0)
    let back = try await ToolRun.ferry("convert", "-q", "out", "--to", "json")
    let expected = format == "xml" ? #"{"root":{"item":["Ada","36"]}}"# : #"["Ada",36]"#
    #expect(back.output == (format == "jsonl" ? "[\"Ada\",36]\n" : expected + "\n"))
  }

  @Test func `A typedstream is shown with its classes`() async throws {
    let run = try await ToolRun.ferry(["show"], input: typedstream)
    expectQuiet(run)
    #expect(
      run.output == """
        NSMutableArray ["Ada", 36]

        """)
  }

  @Test func `A truncated typedstream is refused with the byte`() async throws {
    let run = try await ToolRun.ferry(
      ["convert", "--to", "json", "--from", "nsarchiver"], input: Array(typedstream.dropLast(20)))
    expectFailure(run, "standard input: byte 104: the file ends where a class name was expected")
  }

  @Test(arguments: ["typedstream", "nsarchiver", "NSArchiver"])
  func `A typedstream is written from JSON, and from itself with the same bytes`(name: String) async throws {
    let run = try await ToolRun.ferry(
      ["convert", "--to", name, "-o", "new"], input: Array(#"{"a":[1,"b",null]}"#.utf8))
    expectQuiet(run)
    let back = try await ToolRun.ferry("convert", "new", "--to", "json")
    #expect(back.output == "{\"a\":[1,\"b\",null]}\n")
    let same = try await ToolRun.ferry(["convert", "--to", name, "-o", "same"], input: typedstream)
    expectQuiet(same)
    #expect(try Array(Data(contentsOf: file("same"))) == typedstream)
  }

  @Test func `Values of a typedstream are read and changed by path`() async throws {
    try Data(typedstream).write(to: file("a"))
    for arguments in [
      ["set", "a", "[0]", "Grace"], ["insert", "a", "[]", "new", "--type", "string"], ["remove", "a", "[1]"],
    ] {
      expectQuiet(try await ToolRun.ferry(arguments))
    }
    #expect(try await ToolRun.ferry("show", "a").output == "NSMutableArray [\"Grace\", \"new\"]\n")
    let refused = try await ToolRun.ferry("set", "a", "[7]", "x")
    #expect(refused.status == 1)
  }

  @Test func `Numbers of a typedstream stay when its collections grow and shrink`() async throws {
    try Data(#"{"a":1,"b":[true,2.5,1],"c":"x"}"#.utf8).write(to: file("in.json"))
    let run = try await ToolRun.shell(
      """
      ferry convert in.json --to typedstream -o t && ferry insert t d 7 --type integer && ferry remove t c
      ferry insert t 'b[]' 3 --type integer && ferry remove t 'b[1]' && ferry convert t --to json
      """)
    expectQuiet(run)
    #expect(run.output == #"{"a":1,"b":[true,1,3],"d":7}"# + "\n")
  }

  @Test func `A number of a typedstream becomes one of another kind`() async throws {
    try directory.write("a.json", #"{"a":1.0,"l":[1.5,2.5]}"#)
    try directory.write("b.json", #"{"a":1,"l":[1.5,2.5]}"#)
    try directory.write("p.json", #"[{"op":"add","path":"/a","value":7}]"#)
    for name in ["a", "b"] {
      expectQuiet(try await .ferry("convert", "\(name).json", "--to", "typedstream", "-o", name))
    }
    for (line, value, type) in [
      ("set c a 5", "5.0", "real"), ("set c a 5 --type json", "5.0", "real"),
      ("set c a 5 --type integer", "5", "integer"), ("set c a 5 --type typed", "5", "integer"),
      ("patch c p.json", "7", "integer"), (#"set c a '{"$single":1.5}' --type typed"#, "1.5", "single"),
    ] {
      let run = try await ToolRun.shell(
        "cp a c; ferry \(line) && ferry get c a && ferry get c a --type && ferry get c 'l[1]'")
      expectQuiet(run)
      let lines = run.output.split(separator: "\n").map(String.init)
      #expect(lines.count == 3 && lines[0] == value && lines[2] == "2.5", "\(line): \(run.output)")
      #expect(lines[1] == type || type == "single" && lines[1].contains("real"), "\(line): \(run.output)")
    }
    let patched = try await ToolRun.shell(
      "ferry diff a b --json -o d.json; ferry patch a d.json && ferry diff a b; ferry get a a")
    #expect(patched.output == "1\n" && patched.errors == "", "\(patched.output) \(patched.errors)")
  }

  @Test func `A typedstream is edited in the typed form, and an unchanged one is left as it is`() async throws
  {
    try Data(typedstream).write(to: file("a"))
    let run = try await ToolRun.shell("EDITOR='sed -i s/Ada/Grace/' ferry edit a")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try await ToolRun.ferry("get", "a", "[0]").output == "Grace\n")
    let changed = try Array(Data(contentsOf: file("a")))
    #expect(changed.count == typedstream.count + 2)
    _ = try await ToolRun.shell("EDITOR=true ferry edit a")
    #expect(try Array(Data(contentsOf: file("a"))) == changed)
  }

  @Test func `A typedstream is among the formats`() async throws {
    let run = try await ToolRun.ferry("formats")
    #expect(
      run.output.contains(
        """
        typedstream, nsarchiver
          typedstream (NSArchiver, NeXTSTEP): the older archives, values in order
          read whole
          cannot hold: decimals in their own notation, unpaired surrogates, classes and shared objects
        """))
  }
}
