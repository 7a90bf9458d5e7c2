import TestSupport
import Testing

/// A test for each frequent complaint of users about other tools for property lists and keyed archives.
@Suite(.temporaryDirectory) struct `Complaints about other tools for property lists` {
  /// Writes an archive whose only root has a typed form.
  private func writeArchive(_ name: String, root: String) async throws {
    try directory.write(
      "typed.json", #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\#(root)}}"#)
    expectQuiet(try await .ferry("convert", "typed.json", "--to", "archive", "-o", name))
  }

  /// A binary property list of objects, the first of which is the root, with offsets and references of some widths.
  private func binaryList(_ objects: [[UInt8]], offsetWidth: Int, referenceWidth: Int) -> [UInt8] {
    func bigEndian(_ number: Int, _ width: Int) -> [UInt8] {
      (0..<width).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 }
    }
    var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
    for object in objects {
      offsets += bigEndian(bytes.count, offsetWidth)
      bytes += object
    }
    let table = bytes.count
    return bytes + offsets + [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
      + [objects.count, 0, table].flatMap { bigEndian($0, 8) }
  }

  @Test func `An archive that was read cannot be archived again`() async throws {
    try await writeArchive("m.archive", root: #"[{"$class":"InstantMessage","text":"hi","flags":5}]"#)
    try await expect(
      "ferry convert m.archive --to json --form typed | ferry convert --to archive | cmp - m.archive", "")
    try await expect(
      "ferry set m.archive '[0].text' Ho; ferry show m.archive",
      #"[InstantMessage { flags: 5, text: "Ho" }]"# + "\n")
  }

  @Test func `Dates and data fail in JSON, and the order of keys changes`() async throws {
    try directory.write(
      "a.plist",
      "<plist version=\"1.0\"><dict><key>z</key><date>2014-06-01T09:30:00Z</date><key>a</key><data>AAEC</data></dict></plist>"
    )
    try await expect(
      "ferry convert a.plist --to json -q", #"{"z":"2014-06-01T09:30:00Z","a":"AAEC"}"# + "\n")
    try await expect(
      "ferry convert a.plist --to json --form typed | ferry convert --to plist-xml | ferry get - z",
      "2014-06-01T09:30:00Z\n")
  }

  @Test func `An archive that a property list replaces stays an archive, as with plutil`() async throws {
    let run = try await ToolRun.shell(
      """
      person='<person><firstName>Ada</firstName><lastName>King</lastName></person>'
      echo "<people>$person</people>" | ferry convert --to archive > a.plist
      echo '{"a":[1,2]}' | ferry convert --to archive > k.plist; echo '{"a":[1,2]}' | ferry convert --to xml1 > p.plist
      for name in a k; do
        cp $name.plist old.plist
        ferry convert -i $name.plist --to xml1 --strict; grep -c '$archiver' $name.plist; head -c 5 $name.plist; echo
        ferry convert -i $name.plist --to plist --strict; grep -c '$archiver' $name.plist
        ferry convert -i $name.plist --to binary1 --strict; cmp $name.plist old.plist
      done
      ferry convert -i p.plist --to binary1 --strict; ferry get p.plist 'a[1]'
      ferry convert k.plist --to plist | grep -c '$archiver'
      """)
    #expect(run.output == "1\n<?xml\n1\n1\n<?xml\n1\n2\n0\n", "\(run.output)")
    #expect(run.errors == "")
  }

  @Test func `References of archives are lost`() async throws {
    try directory.write("u.json", #"{"$ferry":1,"$value":{"r":{"$uid":7}}}"#)
    try await expect(
      "ferry convert u.json --to plist-binary -o u.plist; ferry convert u.plist --to json --form typed",
      #"{"$ferry":1,"$value":{"r":{"$uid":7}}}"# + "\n")
    try await expect(
      "ferry convert u.plist --to xml1 -q | ferry convert --to plist-binary -q | cmp - u.plist", "")
    try await expect(
      "ferry convert u.plist --to json", #"{"r":{"CF$UID":7}}"# + "\n",
      errors: "references of an archive become dictionaries (1)")
  }

  @Test func `Dates before the year 1, after 9999 or after 2038 become other dates`() async throws {
    let dates = [
      "-0044-03-15T00:00:00Z", "0001-01-01T00:00:00Z", "2038-01-19T03:14:08Z", "9999-12-31T23:59:59Z",
      "10000-01-01T00:00:00Z",
    ]
    let list = dates.map { "\t<date>\($0)</date>\n" }.joined()
    try directory.write("d.plist", "<plist version=\"1.0\">\n<array>\n\(list)</array>\n</plist>\n")
    try await expect(
      "ferry convert d.plist --to plist-binary | ferry convert --to xml1 | grep date", list)
  }

  @Test func `Fractions of seconds vanish without a word`() async throws {
    try directory.write("f.json", #"{"$ferry":1,"$value":{"$date":"2014-06-01T09:30:00.125Z"}}"#)
    try await expect(
      "ferry convert f.json --to plist-binary | ferry convert --to json --form typed",
      #"{"$ferry":1,"$value":{"$date":"2014-06-01T09:30:00.125Z"}}"# + "\n")
    try await expect(
      "ferry convert f.json --to xml1 | grep date", "<date>2014-06-01T09:30:00Z</date>\n",
      errors: "fractions of a second are cut off (1)")
  }

  @Test func `An object that contains itself ends the program`() async throws {
    try await writeArchive(
      "n.archive", root: #"{"$id":1,"$class":"Node","name":"a","next":{"$class":"Node","next":{"$ref":1}}}"#)
    try await expect(
      "ferry show n.archive", #"Node #1 { name: "a", next: Node { next: → #1 } }"# + "\n")
    try await expect(
      "ferry convert n.archive --to json -q", ##"{"name":"a","next":{"next":{"$ref":"#"}}}"## + "\n")
    try await expect(
      "ferry convert n.archive --to json --form typed | ferry convert --to archive | cmp - n.archive", "")
  }

  @Test func `Objects of an unknown class cannot be read, and known ones are keys of their class`()
    async throws
  {
    try await writeArchive(
      "c.archive",
      root: #"[{"$class":"MyPoint","px":1.5},{"$class":"NSDateComponents","NS.year":2024,"NS.leapMonth":0}]"#)
    try directory.write(
      "classes.json",
      #"{"ferry":1,"classes":[{"class":"MyPoint","fields":[{"name":"x","archiveKey":"px","type":"real"}]}]}"#)
    try await expect(
      "ferry show c.archive", "[MyPoint { px: 1.5 }, NSDateComponents { year: 2024 }]\n")
    try await expect(
      "ferry convert c.archive --to json -q --classes classes.json", #"[{"x":1.5},{"year":2024}]"# + "\n")
    try await expect(
      "ferry set c.archive '[0].x' 3 --classes classes.json; ferry get c.archive '[0].px'", "3.0\n")
  }

  @Test func `The colors of a theme are bytes`() async throws {
    try await writeArchive(
      "color",
      root:
        #"{"$class":"NSColor","NSColorSpace":1,"NSRGB":{"$inline":{"$data":"MSAwLjUwMTk2MDc4NDMgMAA="}}}"#)
    try directory.write("a.terminal", "<plist version=\"1.0\"><dict></dict></plist>")
    try await expect(
      """
      ferry insert a.terminal CursorColor --type data --from-file color
      ferry get a.terminal CursorColor.color
      ferry set a.terminal CursorColor.color '#1A334DFF'
      ferry get a.terminal CursorColor --bytes | ferry show -
      """,
      """
      #FF8000FF
      NSColor { color: "#1A334DFF", colorSpace: "calibratedRGB" }

      """)
  }

  @Test func `A large property list takes many times its size in memory`() async throws {
    let entry =
      "<dict><key>name</key><string>Ada</string><key>email</key><string>ada@example.org</string></dict>\n"
    let list =
      "<plist version=\"1.0\"><array>\n" + String(repeating: entry, count: 250_000) + "</array></plist>"
    try directory.write("a.plist", list)
    #expect(list.utf8.count > 24_000_000)
    try await expectMemory(below: 64, "ferry convert a.plist --to json-lines")
  }

  @Test func `Binary property lists are larger than on a Mac, because equal values are repeated`()
    async throws
  {
    let people = (0..<1000).map {
      #"{"firstName":"Ada","lastName":"Lovelace","city":"London","n":\#($0 % 7)}"#
    }
    try directory.write("a.json", "[\(people.joined(separator: ","))]")
    // The list, 1000 dictionaries, 4 keys, 3 texts and 7 numbers once each; then 1015 offsets, between header and trailer.
    let objects = (1 + 1 + 2) + 1000 * 2 + 1000 * (1 + 16) + (10 + 9 + 5 + 2) + (4 + 9 + 7) + 7 * 2
    try await expect(
      "ferry convert a.json --to plist-binary | wc -c", "\(8 + objects + 1015 * 2 + 32)\n")
  }

  @Test func `Control characters make XML that no parser reads`() async throws {
    try directory.write("a.json", #"{"a":"@\u001b"}"#)
    try await expect(
      "ferry convert a.json --to xml1 | wc -c", "0\n", errors: "XML cannot hold the character U+001B (at a)")
    for options in [
      "--to openstep", "--to plist-binary", "--to plist-xml --form typed", "--to xml --form typed",
    ] {
      try await expect(
        "ferry convert a.json \(options) | ferry convert --to json", #"{"a":"@\u001b"}"# + "\n")
    }
  }

  @Test func `Comments, layout and the document type are rewritten`() async throws {
    let before = """
      <?xml version='1.0' encoding='UTF-8'?>
      <!DOCTYPE plist SYSTEM "file://localhost/System/Library/DTDs/PropertyList.dtd">
      <plist version="1.0"><dict><!-- of the app -->
          <key>version</key> <string>
      """
    try directory.write("a.plist", before + "1</string></dict></plist>")
    try await expect(
      "ferry set a.plist version 2; cat a.plist", before + "2</string></dict></plist>")
  }

  @Test func `Reals become integers, and booleans numbers`() async throws {
    let numbers = "[1e+21,1,1.0,true,0.1,-0.0,18446744073709551615,-1]"
    try directory.write("a.json", numbers)
    for format in ["plist-binary", "xml1", "gnustep"] {
      try await expect("ferry convert a.json --to \(format) | ferry convert --to json", numbers + "\n")
    }
  }

  @Test func `Keys with dots, dashes or spaces cannot be parts of a path`() async throws {
    try directory.write("a.json", #"{"com.apple.dock":{"auto-hide":true,"a b":[1]}}"#)
    try await expect(
      """
      ferry convert a.json --to plist-binary -o a.plist
      ferry get a.plist '"com.apple.dock".auto-hide'
      ferry set a.plist '["com.apple.dock"]["a b"][0]' 2
      ferry convert a.plist --to json
      """,
      """
      true
      {"com.apple.dock":{"auto-hide":true,"a b":[2]}}

      """)
    try await expect(
      "ferry get a.plist com.apple.dock", "",
      errors: #"no key "com" here, but "com.apple.dock" (write ["com.apple.dock"])"#)
  }

  @Test func `A property list inside data stays closed`() async throws {
    try directory.write("inner.plist", "<plist version=\"1.0\"><dict><key>a</key><true/></dict></plist>")
    try directory.write("a.json", #"{"n":1}"#)
    try await expect(
      """
      ferry convert a.json --to plist-binary -o a.plist
      ferry insert a.plist d --type data --from-file inner.plist
      ferry get a.plist d.a
      ferry set a.plist d.a false
      ferry get a.plist d --bytes
      """, "true\n<plist version=\"1.0\"><dict><key>a</key><false/></dict></plist>")
  }

  @Test func `A class that an app has renamed keeps its old name in stored archives`() async throws {
    try await writeArchive("m.archive", root: #"[{"$class":"Message","text":"hi"}]"#)
    try await expect(
      "ferry rename m.archive --class Message=App.Message; ferry show m.archive",
      #"[App.Message { text: "hi" }]"# + "\n")
  }

  @Test func `Valid binary files with unusual widths or an empty root are refused`() async throws {
    let dictionary: [[UInt8]] = [[0xd1, 1, 2], [0x51, 0x61], [0x10, 7]]
    let wide: [[UInt8]] = [
      [0xd1, 0, 0, 1, 0, 0, 2], [0x51, 0x61], [0x13, 0, 0, 0, 0, 0, 0, 0, 7],
    ]
    for (objects, offsetWidth, referenceWidth, json) in [
      (dictionary, 3, 1, #"{"a":7}"#), (wide, 7, 3, #"{"a":7}"#), ([[0xd0]], 1, 1, "{}"),
    ] {
      try directory.write(
        "a.plist", binaryList(objects, offsetWidth: offsetWidth, referenceWidth: referenceWidth))
      try await expect("ferry convert a.plist --to json", json + "\n")
    }
  }

  @Test func `A binary file has no differences in git`() async throws {
    try directory.write("a.json", #"{"a":{"b":1}}"#)
    try await expect(
      """
      ferry convert a.json --to plist-binary -o a.plist
      git init -q .
      git config diff.ferry.textconv "ferry show --textconv --"
      echo '*.plist diff=ferry' > .gitattributes
      git add a.plist
      ferry set a.plist a.b 2
      git --no-pager diff --no-color a.plist | tail -n 2
      """, "-{ a: { b: 1 } }\n+{ a: { b: 2 } }\n")
  }

  @Test func `Query tools read no property lists`() async throws {
    try directory.write(
      "a.json", #"{"name":"Ferry","types":[{"uti":"public.xml"},{"uti":"public.json"}]}"#)
    try await expect(
      """
      ferry convert a.json --to plist-binary -o a.plist
      ferry get a.plist 'types[*].uti'
      ferry get a.plist --keys
      ferry find json a.plist
      """, "public.xml\npublic.json\nname\ntypes\ntypes[1].uti: public.json\n")
  }

  @Test func `OpenStep property lists that are written are not read again`() async throws {
    try await expect(
      #"echo '{"a b":["x;","\"q\""],"c":{"d":"/* no */"}}' | ferry convert --to openstep | ferry convert --to json"#,
      #"{"a b":["x;","\"q\""],"c":{"d":"/* no */"}}"# + "\n")
  }

  @Test func `Invalid files end the program, or become objects without values`() async throws {
    // A string that claims more units than there are bytes, a list in itself, and a reference to a missing object.
    try directory.write(
      "units.plist", binaryList([[0x6f, 0x10, 0x7f, 0x61]], offsetWidth: 1, referenceWidth: 1))
    try directory.write("self.plist", HostileFile.arrayInItself.bytes)
    try directory.write("deep.json", String(repeating: "[", count: 100_000))
    try directory.write(
      "dangling.plist",
      """
      <plist version="1.0"><dict>
      <key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>
      <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>9</integer></dict></dict>
      <key>$objects</key><array><string>$null</string></array>
      </dict></plist>
      """)
    for (file, message) in [
      ("units.plist", "byte 11, object 0: the file ends inside a string of 127 UTF-16 units"),
      ("self.plist", "object 0: the collection contains itself, which a property list cannot"),
      ("deep.json", "deep.json:1:513: nested deeper than 512 levels"),
      ("dangling.plist", "a reference to object 9, but the archive has 1 objects"),
    ] {
      try await expect("ferry convert \(file) --to xml >/dev/null; echo $?", "1\n", errors: message)
    }
  }
}
