import Ferry
import Foundation
import TestSupport
import Testing

/// The examples in `Documents.md`.
@Suite(.temporaryDirectory) struct `The guide to documents` {
  final class ListDocument: Document {
    private(set) var lines: [String] = []

    override func contents(forType type: DocumentType) throws(FerryError) -> DocumentContents {
      .file(Array(lines.joined(separator: "\n").utf8))
    }

    override func load(fromContents contents: DocumentContents, ofType type: DocumentType) throws(FerryError)
    {
      lines = String(decoding: try contents.file, as: UTF8.self).split(separator: "\n").map { String($0) }
    }

    func add(_ line: String) {
      lines.append(line)
      updateChangeCount(.done)
    }
  }

  @MainActor final class PeopleList: DocumentDelegate {
    var people: [PeopleDocument.Person] = []

    @MainActor func documentDidLoad(_ document: Document) async {
      people = await (document as? PeopleDocument)?.people ?? []
    }
  }

  final class AlbumDocument: Document {
    private(set) var names: [String] = []
    private var package = DocumentPackage()

    func add(_ image: [UInt8]) {
      names.append(package.add(image, preferredName: "image.png"))
      updateChangeCount(.done)
    }

    override func contents(forType type: DocumentType) throws(FerryError) -> DocumentContents {
      package.set(Array(names.joined(separator: "\n").utf8), named: "names.txt")
      return .package(package)
    }

    override func load(fromContents contents: DocumentContents, ofType type: DocumentType) throws(FerryError)
    {
      let read = try contents.package
      names = String(decoding: try read.bytes(of: "names.txt") ?? [], as: UTF8.self)
        .split(separator: "\n").map { String($0) }
      package = read
    }

    override func didSave(_ contents: DocumentContents) {
      if case .package(let saved) = contents { package.rebase(onto: saved) }
    }
  }

  private var printed = Printed()
  private var directory: TemporaryDirectory { .current }

  @Test func `A document of people is opened, changed and saved`() async throws {
    let path = directory.path("a.pplgrp")
    try directory.write("a.pplgrp", try GuideExample.people())
    let document = PeopleDocument(path: path)
    try await document.open()
    await document.edit { $0.people.append(PeopleDocument.Person(first: "Ada", last: "Lovelace")) }
    print(await document.people.count, await document.hasUnsavedChanges)  // 2 true
    try await document.close()
    #expect(printed.text == "2 true")
    let people = try KeyedArchiveDecoder().decode(
      [PeopleDocument.Person].self, from: try directory.bytes("a.pplgrp"))
    #expect(people.map(\.first) == ["Matt", "Ada"])
    let list = PeopleList()
    await document.setDelegate(list)
    try await document.open()
    #expect(try await eventually { await list.people.count == 2 })
    try await document.close()
  }

  @Test func `A document is made of bundled data`() async throws {
    let (path, bundled) = (directory.path("a.pplgrp"), directory.path("folks.xml"))
    try directory.write(
      "folks.xml",
      "<people><person><firstName>Matt</firstName><lastName>Neuburg</lastName></person></people>")
    print(try await PeopleDocument.seed(at: path, from: bundled).outcome)  // made(count: Optional(1))
    print(try await PeopleDocument.seed(at: path, from: bundled).outcome)  // exists
    #expect(printed.text == "made(count: Optional(1))\nexists")
    #expect(try directory.bytes("a.pplgrp") == (try GuideExample.people()))
    let group = PeopleDocument(path: directory.path("b.pplgrp"))
    try await group.open(creatingIfMissing: true)
    #expect(try directory.names() == ["a.pplgrp", "b.pplgrp", "folks.xml"])
    try await group.close()
  }

  @Test func `A person is added as in the README`() async throws {
    try directory.write("people.pplgrp", try GuideExample.people())
    let path = directory.path("people.pplgrp")
    let group = PeopleDocument(path: path)
    try await group.open()
    await group.edit { $0.people[0].first = "Matthew" }  // saved after two quiet seconds
    try await group.close()  // or now
    try await group.open()
    #expect(await group.people[0].first == "Matthew")
    try await group.close()
  }

  @Test func `A document of pictures and one of a list of one's own are saved`() async throws {
    let picturePath = directory.path("a.tinypix")
    let picture = PictureDocument(path: picturePath)
    await picture.edit { $0[2, 1] = true }
    try await picture.save(to: picturePath, for: .creating)
    #expect(try directory.bytes("a.tinypix") == [0, 0, 2, 0, 0, 0, 0, 0])

    let listPath = directory.path("a.list")
    let list = DocumentType(
      name: "list", identifier: "com.example.list", extensions: ["list"], layout: .file(.json))
    let shopping = ListDocument(path: listPath, type: list, autosaving: .after(.seconds(5)))
    try await shopping.save(to: listPath, for: .creating)
    await shopping.add("milk")
    await shopping.add("bread")
    try await shopping.close()
    #expect(try directory.text("a.list") == "milk\nbread")
    try await shopping.open()
    #expect(await shopping.lines == ["milk", "bread"])
  }

  @Test func `A package of one's own is saved`() async throws {
    let type = DocumentType(
      name: "album", identifier: "com.example.album", extensions: ["album"],
      layout: .package(main: "names.txt", .text, files: nil))
    let path = directory.path("a.album")
    let album = AlbumDocument(path: path, type: type, autosaving: .off)
    try await album.open(creatingIfMissing: true)
    await album.add([1])
    let save = Task { try await album.save() }
    await album.add([2])
    try await save.value
    await album.add([3])
    try await album.close()
    try await album.open()
    #expect(await album.names == ["image.png", "1__#$!@%!#__image.png", "2__#$!@%!#__image.png"])
    #expect(try directory.names(in: "a.album") == (await album.names.sorted() + ["names.txt"]))
    #expect(try directory.bytes("a.album/2__#$!@%!#__image.png") == [3])
  }

  final class FullDiskDocument: Document {
    override func contents(forType type: DocumentType) throws(FerryError) -> DocumentContents {
      throw FerryError(.file(.system("no space left on device")))
    }

    override func load(fromContents contents: DocumentContents, ofType type: DocumentType) throws(FerryError)
    {}
  }

  @Test func `A failed save is reported`() async throws {
    try directory.write("a.note", "")
    let note = FullDiskDocument(path: directory.path("a.note"), type: .note, autosaving: .off)
    try await note.open()
    do {
      try await note.save()
    } catch {
      print(error.message, await note.state)  // no space left on device savingError
    }
    #expect(printed.text == "no space left on device savingError")
  }

  @Test func `A conflict is resolved`() async throws {
    try directory.write("a.txt", "old")
    let mine = TextDocument(path: directory.path("a.txt"), autosaving: .off)
    try await mine.open()
    await mine.edit { $0.text = "mine" }
    try directory.write("a.txt", "theirs")
    do {
      try await mine.save()
    } catch {
      print(await mine.state, error.reason == .document(.changedByAnother))  // inConflict true
      try await mine.resolveConflict(keeping: .theirs)
    }
    #expect(printed.text == "inConflict true")
    #expect(await mine.text == "theirs")
    printed.clear()
    let change = try await mine.checkForExternalChange()
    print(change)  // none
    #expect(printed.text == "none")
  }

  private func print(_ items: Any...) { printed.add(items) }
}
