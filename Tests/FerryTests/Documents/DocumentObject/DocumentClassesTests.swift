import Ferry
import Foundation
import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Documents of the built-in types` {
  private var directory: TemporaryDirectory { .current }

  @Test func `A people document is archived as the app archives it`() async throws {
    let xml = "<people><person><firstName>Matt</firstName><lastName>Neuburg</lastName></person></people>"
    let archive = try Conversion(to: .archive).convert(Array(xml.utf8)).bytes
    try directory.write("a.pplgrp", archive)
    let document = PeopleDocument(path: directory.path("a.pplgrp"), autosaving: .off)
    try await document.open()
    #expect(await document.people == [PeopleDocument.Person(first: "Matt", last: "Neuburg")])
    try await document.save()
    #expect(try directory.bytes("a.pplgrp") == archive)
    await document.edit { $0.people.append(PeopleDocument.Person(first: "Ada", last: "Lovelace")) }
    try await document.close()
    let json = try Conversion(to: .json).convert(try directory.bytes("a.pplgrp")).bytes
    #expect(
      String(decoding: json, as: UTF8.self).trimmingCharacters(in: .newlines)
        == #"[{"firstName":"Matt","lastName":"Neuburg"},{"firstName":"Ada","lastName":"Lovelace"}]"#)
  }

  @Test func `A things document adds and removes images with their things`() async throws {
    let path = directory.path("a.mystuff")
    let document = ThingsDocument(path: path, autosaving: .off)
    await document.edit { document in
      document.append(ThingsDocument.Thing(name: "Robot", location: "Shelf"), image: [1])
      document.append(ThingsDocument.Thing(name: "Ball", location: "Garden"), image: [2])
      document.append(ThingsDocument.Thing(name: "Hope", location: "Everywhere"))
    }
    try await document.save(to: path, for: .creating)
    #expect(try directory.names(in: "a.mystuff") == ["1__#$!@%!#__image.png", "image.png", "things.data"])
    let again = ThingsDocument(path: path, autosaving: .off)
    try await again.open()
    #expect(await again.things.map(\.name) == ["Robot", "Ball", "Hope"])
    #expect(try await again.image(ofThingAt: 1) == [2])
    #expect(try await again.image(ofThingAt: 2) == nil)
    await again.edit { $0.remove(at: 0) }
    await again.edit { $0.setImage([3], ofThingAt: 1) }
    try await again.close()
    #expect(try directory.names(in: "a.mystuff") == ["1__#$!@%!#__image.png", "image.png", "things.data"])
    #expect(try directory.bytes("a.mystuff/image.png") == [3])
  }

  @Test func `Images may be added and removed while their document is saved`() async throws {
    let path = directory.path("a.mystuff")
    let document = ThingsDocument(path: path, autosaving: .off)
    try await document.save()
    try await withThrowingTaskGroup { group in
      for number in 0..<60 {
        group.addTask {
          await document.edit { document in
            document.append(ThingsDocument.Thing(name: "\(number)", location: ""), image: [UInt8(number)])
            if number.isMultiple(of: 4) { document.remove(at: 0) }
          }
          try await document.save()
        }
      }
      try await group.waitForAll()
    }
    try await document.close()
    try await document.open()
    let things = await document.things
    #expect(things.count > 40)
    for (index, thing) in things.enumerated() {
      #expect(try await document.image(ofThingAt: index) == [UInt8(thing.name) ?? 255])
    }
    #expect(try directory.names(in: "a.mystuff").count == things.count + 1)
  }

  @Test func `A thing whose image is missing is opened, and its image is refused`() async throws {
    let path = directory.path("a.mystuff")
    let document = ThingsDocument(path: path, autosaving: .off)
    await document.edit { $0.append(ThingsDocument.Thing(name: "Robot", location: "Shelf"), image: [1]) }
    try await document.save(to: path, for: .creating)
    try FileManager.default.removeItem(atPath: path + "/image.png")
    let again = ThingsDocument(path: path, autosaving: .off)
    try await again.open()
    let failure = await #expect(throws: FerryError.self) { try await again.image(ofThingAt: 0) }
    #expect(failure?.description == "the package has no file \"image.png\"")
    try FileManager.default.removeItem(atPath: path + "/things.data")
    let empty = await #expect(throws: FerryError.self) {
      try await ThingsDocument(path: path, autosaving: .off).open()
    }
    #expect(empty?.message == "the package has no things.data, the file with its records")
  }

  @Test func `A picture document has eight bytes`() async throws {
    let path = directory.path("a.tinypix")
    let picture = PictureDocument(path: path, autosaving: .off)
    await picture.edit { $0[2, 1] = true }
    await picture.edit { $0[7, 7] = true }
    await picture.edit { $0[7, 0] = true }
    await picture.edit { $0[7, 0] = false }
    try await picture.save(to: path, for: .creating)
    #expect(try directory.bytes("a.tinypix") == [0, 0, 2, 0, 0, 0, 0, 128])
    let again = PictureDocument(path: path, autosaving: .off)
    try await again.open()
    #expect(await [again[2, 1], again[7, 7], again[7, 0]] == [true, true, false])
    try directory.write("a.tinypix", [0, 0, 2, 0, 0, 0, 0])
    let failure = await #expect(throws: FerryError.self) { try await again.revert() }
    #expect(failure?.description == "\(path): byte 7: a TinyPix picture has 8 bytes, found 7")
  }

  @Test(arguments: ["", "Grüße\r\nan 👩‍👩‍👧", "\u{feff}mark"])
  func `A text document has text with every character`(_ text: String) async throws {
    try directory.write("a.txt", text)
    let document = TextDocument(path: directory.path("a.txt"), autosaving: .off)
    try await document.open()
    #expect(await Array(document.text.utf8) == Array(text.utf8))
    try await document.save()
    #expect(try directory.bytes("a.txt") == Array(text.utf8))
  }

  @Test func `A text document has no text that is not UTF-8`() async throws {
    try directory.write("a.txt", [0x61, 0xff])
    let failure = await #expect(throws: FerryError.self) {
      try await TextDocument(path: directory.path("a.txt"), autosaving: .off).open()
    }
    #expect(failure?.description == "\(directory.path("a.txt")):1:2: this is not UTF-8 text")
  }

  @Test func `A people document with any byte missing or changed is read or refused`() async throws {
    let person = PeopleDocument.Person(first: "Ada", last: "Lovelace")
    let archive = try KeyedArchiveEncoder().encode([person])
    let document = PeopleDocument(path: "-", autosaving: .off)
    try await Damage(to: archive, change: .flipping([0x55])).checkAsync { bytes in
      try await document.load(fromContents: .file(bytes), ofType: .peopleGroup)
    }
    try await document.load(fromContents: .file(archive), ofType: .peopleGroup)
    #expect(await document.people == [person])
  }

  @Test func `A document of a file is not a folder, and a package is not a file`() async throws {
    try directory.makeDirectory("a.pplgrp")
    try directory.write("a.mystuff", "")
    let people = await #expect(throws: FerryError.self) {
      try await PeopleDocument(path: directory.path("a.pplgrp"), autosaving: .off).open()
    }
    #expect(people?.reason == .file(.isDirectory))
    await #expect(throws: FerryError.self) {
      try await ThingsDocument(path: directory.path("a.mystuff"), autosaving: .off).open()
    }
    let null = await #expect(throws: FerryError.self) {
      try await TextDocument(path: "/dev/null", autosaving: .off).open()
    }
    #expect(null?.message == "this is neither a file nor a folder")
  }
}
