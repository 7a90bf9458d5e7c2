import TestSupport
import Testing

@testable import Ferry

/// A document that claims to be determined is sent without a proof. Here each one is proven.
@Suite struct `Documents of archives` {
  private struct Tally {
    var determined = 0
    var restored = 0
    var others = 0
  }

  /// Reads an archive, and checks that its document restores it if the document is determined.
  private func check(_ bytes: [UInt8], _ tally: inout Tally, _ name: String) throws {
    let list = try BinaryPropertyList(bytes)
    guard try list.isKeyedArchive else { return }
    let (layout, sharing) = try BinaryLayout.learned(from: list)
    // The scalars that were compared for the layout of the file decide as those that are compared again.
    let document = try ArchiveDocument(list, layout, known: KnownScalars(sharing), Budget())
    #expect(try document?.archiveLayout == ArchiveDocument(list, layout, Budget())?.archiveLayout, "\(name)")
    guard let document else {
      tally.others += 1
      return
    }
    let tape = try document.verifiedTape(of: list)
    if let tape {
      tally.restored += 1
      // A writer of JSON receives batches, and a tape single events.
      let json = try typedJSON { sink throws(FerryError) in try document.send(to: sink) }
      #expect(try json == typedJSON { sink throws(FerryError) in try tape.replay(into: sink) }, "\(name)")
    }
    guard document.isDetermined else { return }
    tally.determined += 1
    #expect(tape != nil, "\(name)")
  }

  /// Returns the JSON of a document in the typed form whose events a function sends.
  private func typedJSON(_ send: (TaggedScalars) throws(FerryError) -> Void) throws -> [UInt8] {
    let output = MemoryOutput()
    let sink = TaggedScalars(
      to: JSONWriter(to: output), capabilities: .json, nesting: 0, budget: Budget())
    try send(sink)
    try sink.finish()
    return output.bytes
  }

  @Test func `A determined document of a real archive restores it`() throws {
    var tally = Tally()
    for folder in ["keyed", "plist", "sketch"] {
      for name in try Corpus.files(under: folder) {
        let bytes = try Corpus.bytes(name)
        guard bytes.starts(with: "bplist0".utf8), (try? BinaryPropertyList(bytes).isKeyedArchive) == true,
          (try? Conversion(to: .binaryPropertyList).convert(bytes)) != nil
        else { continue }
        try check(bytes, &tally, name)
      }
    }
    print("documents of real archives:", tally)
    #expect(tally.determined > 250)
    // Few files need the proof: those with a patch.
    #expect(tally.restored - tally.determined < 20)
  }

  /// Archives of each kind of object, with shared ones, cycles, classes and inline collections.
  private static let archives: [(name: String, root: String)] = [
    ("records", ##"[{"$class":"Person","$id":1,"name":"Ada","age":36},{"$class":"Dog","of":{"$ref":1}}]"##),
    ("a cycle", ##"{"$class":"Node","$id":1,"name":"the root","kids":[{"$class":"Node","up":{"$ref":1}}]}"##),
    ("dictionaries and sets", ##"{"a":{"b":1,"c":[true,2.5]},"s":{"$class":"NSSet","$items":["x",1]}}"##),
    (
      "dates, data and null",
      ##"[{"$date":"2001-01-01T00:00:03Z"},{"$data":"AQI="},null,{"$class":"NSNull"},"$null"]"##
    ),
    (
      "inline collections",
      ##"{"$class":"Box","l":{"$inline":[1,"a",{"$object":5}]},"s":{"$inline":{"$set":[1]}},"d":{"$inline":{"k":"v"}}}"##
    ),
    (
      "texts as keys and values",
      ##"[{"a":"a","b":"a"},{"b":"b"},"a","a long text that no pointer holds","a long text that no pointer holds"]"##
    ),
    (
      "keys that begin with $",
      ##"{"$class":"Box","$$type":"x","$$$id":1,"NS.objects":2,"NS.keys":{"$inline":[1]}}"##
    ),
  ]

  @Test(arguments: archives.indices)
  func `A determined document of an archive with a changed byte restores it`(_ index: Int) throws {
    let archive = try ArchiveMerge.archive(Self.archives[index].root)
    var tally = Tally()
    try Damage(to: archive, change: .flipping([0x01, 0x02, 0x10, 0x80, 0xff])).check { bytes in
      try check(bytes, &tally, Self.archives[index].name)
    }
    #expect(tally.determined > 100)
  }

  @Test func `An archive with a class without a name comes back from its raw property list`() throws {
    let text =
      #"{"$ferry":1,"$value":{"$$version":100000,"$$archiver":"NSKeyedArchiver","$$top":{"root":{"$uid":1}},"#
      + #""$$objects":["$null",{"$$class":{"$uid":2}},{"$$classname":"","$$classes":["","NSObject"]}]}}"#
    var stored = Conversion(to: .binaryPropertyList)
    stored.writing.representation = .raw
    let archive = try stored.convert(Array(text.utf8)).bytes
    var typed = Conversion(to: .json)
    typed.writing.representation = .typed
    let document = try typed.convert(archive).bytes
    #expect(String(decoding: document, as: UTF8.self).contains("$$objects"))
    #expect(try stored.convert(document).bytes == archive)
  }

  @Test(arguments: [
    #""$$classes":"Foo""#, #""$$classes":7"#, #""$$classes":{"a":1}"#, #""$$classes":{"$data":"AQI="}"#,
    #""$$classes":{"$uid":0}"#, #""$$classes":["Foo"],"$$classhints":"Foo""#,
  ])
  func `A description of a class whose lists are other values comes back with them`(_ entries: String) throws
  {
    let text =
      #"{"$ferry":1,"$value":{"$$version":100000,"$$archiver":"NSKeyedArchiver","$$top":{"root":{"$uid":1}},"#
      + #""$$objects":["$null",{"$$class":{"$uid":2}},{"$$classname":"Foo",\#(entries)}]}}"#
    var stored = Conversion(to: .binaryPropertyList)
    stored.writing.representation = .raw
    let archive = try stored.convert(Array(text.utf8)).bytes
    var typed = Conversion(to: .json)
    typed.writing.representation = .typed
    #expect(try stored.convert(typed.convert(archive).bytes).bytes == archive)
  }

  @Test(arguments: [
    ("[1]", "[1]", false), ("[]", "[]", false), ("[1]", #"{"$ref":1}"#, true), ("[]", #"{"$ref":1}"#, true),
  ])
  func `An archive with a collection in two places is restored`(_ a: String, _ b: String, _ isShared: Bool)
    throws
  {
    let first = isShared ? #"{"$id":1,"$value":\#(a)}"# : a
    let object = #"{"a":\#(first),"b":\#(b),"$$class":{"$uid":2}}"#
    let type = #"{"$$classname":"Box","$$classes":["Box","NSObject"]}"#
    let text =
      #"{"$ferry":1,"$value":{"$$version":100000,"$$archiver":"NSKeyedArchiver","$$top":{"root":{"$uid":1}},"#
      + #""$$objects":["$null",\#(object),\#(type)]}}"#
    var stored = Conversion(to: .binaryPropertyList)
    stored.writing.representation = .raw
    let archive = try stored.convert(Array(text.utf8)).bytes
    var tally = Tally()
    try check(archive, &tally, text)
    #expect(tally.determined + tally.others == 1)
    #expect(a == "[]" || (tally.determined == 1) == !isShared)
    var typed = Conversion(to: .json)
    typed.writing.representation = .typed
    #expect(try stored.convert(typed.convert(archive).bytes).bytes == archive)
  }
}
