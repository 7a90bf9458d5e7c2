import Foundation
import TestSupport
import Testing

/// Items, as the documents of another type hold them.
private let items = """
  <items><item><name>Rusty Spork</name><dateCreated>2014-06-01T09:30:00Z</dateCreated><itemKey>k1</itemKey>\
  <valueInDollars>5</valueInDollars></item></items>
  """

/// A record without a file, as the documents of a package hold it.
private let things = "<things><whatsit><name>Spork</name><location>Drawer</location></whatsit></things>"

@Suite(.temporaryDirectory) struct `Checks of a document's type` {
  private func writeItems() async throws {
    try directory.write("items.xml", items)
    try directory.write("folks.xml", folks)
    let run = try await ToolRun.shell(
      """
      ferry convert items.xml -o items.archive && ferry convert items.archive --schema item -o items.json || exit 1
      cp items.archive wrong.pplgrp; ferry convert folks.xml -o people.pplgrp
      ferry convert folks.xml --class Person=MyApp.Person -o module.pplgrp
      """)
    expectQuiet(run)
  }

  @Test(arguments: [
    "convert items.xml -o x.pplgrp", "convert items.archive -o x.pplgrp",
    "convert items.json --schema item -o x.pplgrp", "convert items.archive --to archive -o x.pplgrp",
    "convert items.archive --schema item -o x.pplgrp", "convert wrong.pplgrp --to archive -i",
    "convert items.json --schema item -o x.mystuff", "seed x.pplgrp --from items.xml --schema item",
    "seed x.mystuff --from items.xml --schema item",
    "seed people.pplgrp --from items.xml --schema item --merge",
    "merge items.archive items.archive items.archive -o x.pplgrp",
    "convert items.archive --to archive-xml -o x.pplgrp",
    "merge people.pplgrp people.pplgrp items.archive -o people.pplgrp --force",
    "merge --git=people.pplgrp people.pplgrp people.pplgrp items.archive",
  ])
  func `A document gets no records of another class`(_ arguments: String) async throws {
    try await writeItems()
    let people = try directory.bytes("people.pplgrp")
    let names = try directory.names()
    let run = try await ToolRun.ferry(arguments.split(separator: " ").map(String.init))
    #expect(run.status == 1)
    #expect(
      run.errors.contains("found Item (use --to archive -o x.archive for other objects)"), "\(run.errors)")
    #expect(run.errors.contains("objects of the class"))
    #expect(try directory.names() == names)
    #expect(try directory.bytes("people.pplgrp") == people)
  }

  @Test(arguments: [
    "merge a.mystuff a.mystuff wrong.mystuff -o x.mystuff",
    "merge a.mystuff a.mystuff wrong.mystuff -o a.mystuff --force",
    "merge --git=a.mystuff/things.data a.mystuff/things.data a.mystuff/things.data wrong.mystuff/things.data",
  ])
  func `A merged package gets no records of another class`(_ arguments: String) async throws {
    try await writeItems()
    try directory.write("things.xml", things)
    let run = try await ToolRun.shell(
      "ferry convert things.xml -o a.mystuff && cp -R a.mystuff wrong.mystuff && cp items.archive wrong.mystuff/things.data"
    )
    expectQuiet(run)
    let (names, records) = (try directory.names(), try directory.bytes("a.mystuff/things.data"))
    let merge = try await ToolRun.ferry(arguments.split(separator: " ").map(String.init))
    #expect(merge.status == 1)
    #expect(merge.errors.contains("found Item (use --to archive"), "\(merge.errors)")
    #expect(try directory.names() == names)
    #expect(try directory.bytes("a.mystuff/things.data") == records)
  }

  @Test(arguments: [
    "convert one.archive -o x.pplgrp", "convert one.xml -o x.pplgrp", "convert one.xml -o x.mystuff",
    "seed x.pplgrp --from one.xml --schema person",
  ])
  func `A document gets no record that is in no list`(_ arguments: String) async throws {
    try await writeItems()
    let person = "<person><firstName>A</firstName><lastName>B</lastName></person>"
    let thing = "<whatsit><name>A</name><location>B</location></whatsit>"
    try directory.write("one.xml", arguments.hasSuffix("mystuff") ? thing : person)
    expectQuiet(
      try await ToolRun.ferry("get", "people.pplgrp", "[0]", "--to", "archive", "-o", "one.archive"))
    let names = try directory.names()
    let run = try await ToolRun.ferry(arguments.split(separator: " ").map(String.init))
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains("found one object that is in no list (use --to archive"), "\(run.errors)")
    #expect(try directory.names() == names)
  }

  @Test(arguments: [
    "convert items.xml -o x.archive", "convert items.xml --to archive -o x.bin",
    "convert folks.xml -o x.pplgrp", "convert module.pplgrp -o x.pplgrp",
    "convert people.pplgrp --to json -o x.pplgrp",
    "convert folks.xml --class Person=Friend -o x.pplgrp", "seed x.pplgrp --from folks.xml",
    "seed x.pplgrp --from folks.xml --class Person=MyApp.Person",
    "merge people.pplgrp module.pplgrp people.pplgrp -o x.pplgrp",
  ])
  func `A document gets records of its own class, in any module, and other files get any`(_ arguments: String)
    async throws
  {
    try await writeItems()
    let run = try await ToolRun.ferry(arguments.split(separator: " ").map(String.init))
    #expect(run.status == 0)
    #expect(!run.errors.contains("objects of the class"), "\(run.errors)")
  }

  @Test(arguments: [
    "remove people.pplgrp [0].first",
    #"insert people.pplgrp [] {"$class":"Item","name":"x"} --type typed"#,
    #"set people.pplgrp [0] {"$class":"Item","name":"x"} --type typed"#,
    "set items.archive [0].itemKey x -o x.pplgrp", "edit people.pplgrp",
    "rename people.pplgrp --class Person=Item", "rename people.pplgrp --key Person.first=given",
    "rename people.pplgrp --class Person=Item -n",
    "rename people.pplgrp --class Person=Item --out-dir out",
  ])
  func `A document stays one after an edit, unless that is forced`(_ arguments: String) async throws {
    try await writeItems()
    let people = try directory.bytes("people.pplgrp")
    try directory.makeDirectory("temporary")
    let names = try directory.names()
    let command = "EDITOR='sed -i s/Person/Item/' ferry '\(arguments.replacing(" ", with: "' '"))'"
    let run = try await ToolRun.shell("TMPDIR=$PWD/temporary " + command)
    #expect(run.status == 1)
    #expect(run.errors.contains("is not a people-group document, which holds objects of the class Person"))
    #expect(run.errors.contains("(--force writes it anyway)"))
    #expect(try directory.bytes("people.pplgrp") == people)
    #expect(try directory.names() == names)
    let forced = try await ToolRun.shell(command + " --force")
    #expect(forced.status == 0, "\(forced.errors)")
  }

  @Test(arguments: [
    "set people.pplgrp [0].first Ada", "remove people.pplgrp [0]", "set wrong.pplgrp [0].itemKey k2",
    "remove wrong.pplgrp [0].itemKey", "rename people.pplgrp --class Person=MyApp.Person",
    "rename items.archive --key Item.itemKey=key", "rename wrong.pplgrp --class Item=Thing",
    "remove items.archive [0].name", "set module.pplgrp [0].last L",
  ])
  func `A document may be edited if it stays valid, or was not valid`(_ arguments: String) async throws {
    try await writeItems()
    let run = try await ToolRun.ferry(arguments.split(separator: " ").map(String.init))
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `A document in a package stays one after an edit`() async throws {
    try directory.write("things.json", #"[{"name":"Hat","location":"Shelf"}]"#)
    let made = try await ToolRun.ferry("convert", "things.json", "--schema", "whatsit", "-o", "x.mystuff")
    #expect(made.status == 0, "\(made.errors)")
    let records = try directory.bytes("x.mystuff/things.data")
    for name in ["x.mystuff", "x.mystuff/things.data"] {
      let run = try await ToolRun.ferry(
        "insert", name, "[]", #"{"$class":"Item","name":"x"}"#, "--type", "typed")
      #expect(run.status == 1)
      #expect(run.errors.contains("is not a things document, which holds objects of the class MyWhatsit"))
      #expect(try directory.bytes("x.mystuff/things.data") == records)
    }
  }

  @Test(arguments: [
    "rename x.mystuff --class MyWhatsit=W", "rename x.mystuff --key MyWhatsit.name=title",
    "rename x.mystuff/things.data --class MyWhatsit=W", "rename . --class MyWhatsit=W",
    "rename x.mystuff --class MyWhatsit=W --out-dir out", "rename x.mystuff --class MyWhatsit=W -n",
    "set x.mystuff [0] {\"$class\":\"Item\"} --type typed -o out.mystuff", "edit x.mystuff -o out.mystuff",
  ])
  func `A package stays a document of its type under new names and in a copy, unless that is forced`(
    _ arguments: String
  )
    async throws
  {
    try directory.write("things.json", #"[{"name":"Hat","location":"Shelf"}]"#)
    let made = try await ToolRun.ferry("convert", "things.json", "--schema", "whatsit", "-o", "x.mystuff")
    #expect(made.status == 0, "\(made.errors)")
    let records = try directory.bytes("x.mystuff/things.data")
    let command = "EDITOR='sed -i s/MyWhatsit/Item/' ferry '\(arguments.replacing(" ", with: "' '"))'"
    let run = try await ToolRun.shell("mkdir temporary; TMPDIR=$PWD/temporary " + command)
    #expect(run.status == 1)
    #expect(run.errors.contains("is not a things document, which holds objects of the class MyWhatsit"))
    #expect(run.errors.contains("(--force writes it anyway)"))
    #expect(try directory.bytes("x.mystuff/things.data") == records)
    #expect(try !directory.names().contains { $0.hasPrefix("out") })
    let forced = try await ToolRun.shell(command + " --force")
    #expect(forced.status == 0, "\(forced.errors)")
  }

  @Test func `A document keeps the module of its classes when it gets more records`() async throws {
    try await writeItems()
    try directory.write("more.json", #"[{"firstName":"Ada","lastName":"Lovelace"}]"#)
    let run = try await ToolRun.shell(
      """
      ferry seed module.pplgrp --from more.json --merge --key firstName -q || exit 2
      ferry get module.pplgrp '[-1].$class'
      ferry seed people.pplgrp --from more.json --merge --key firstName --class Person=Other.Person -q || exit 3
      ferry get people.pplgrp '[-1].$class'
      """)
    expectQuiet(run)
    #expect(run.output.contains("MyApp.Person"))
    #expect(run.output.contains("Other.Person"))
  }
}
