import Foundation
import TestSupport
import Testing

@testable import Ferry

private var directory: TemporaryDirectory { .current }

/// Files that file managers create in the folders that they show.
@Suite(.temporaryDirectory) struct `Files of other programs in packages` {
  static let names = [
    ".DS_Store", "._image.png", ".localized", "Icon\r", "desktop.ini", "Thumbs.db", "images/.DS_Store",
  ]

  private final class AlbumDocument: Document {
    var package = DocumentPackage()

    func set(_ text: String) {
      package.set(Array(text.utf8), named: "names.txt")
      updateChangeCount(.done)
    }

    override func contents(forType type: DocumentType) throws(FerryError) -> DocumentContents {
      .package(package)
    }

    override func load(fromContents contents: DocumentContents, ofType type: DocumentType) throws(FerryError)
    {
      package = try contents.package
    }

    override func didSave(_ contents: DocumentContents) {
      if case .package(let saved) = contents { package.rebase(onto: saved) }
    }
  }

  private func makeAlbum() throws -> String {
    try directory.makeDirectory("a.album/images")
    try directory.write("a.album/names.txt", "old")
    try directory.write("a.album/images/a.png", "a")
    return directory.path("a.album")
  }

  @Test func `The names of such files are known`() {
    for name in ["Icon", "names.txt", "._", "DS_Store", "a.ds_store"] {
      #expect(!ForeignFile.isName(name), "\(name)")
    }
    for name in [".ds_store", "DESKTOP.INI", "thumbs.db"] { #expect(ForeignFile.isName(name), "\(name)") }
    #expect(PackagePath("a/.DS_Store").isForeign && !PackagePath("a/b").isForeign)
  }

  @Test(arguments: names) func `An open document is saved although such a file comes, changes and goes`(
    name: String
  )
    async throws
  {
    let type = DocumentType(
      name: "album", identifier: "com.example.album", extensions: ["album"],
      layout: .package(main: "names.txt", .text, files: nil))
    let path = try makeAlbum()
    let album = AlbumDocument(path: path, type: type, autosaving: .off)
    try await album.open()
    for text in ["one", "two"] {
      try directory.write("a.album/\(name)", text)
      #expect(try await album.checkForExternalChange() == .none)
      await album.set(text)
      try await album.save()
      #expect(try directory.text("a.album/names.txt") == text)
      #expect(try directory.text("a.album/\(name)") == text)
    }
    try FileManager.default.removeItem(atPath: directory.path("a.album/\(name)"))
    await album.set("three")
    try await album.save()
    #expect(try directory.text("a.album/names.txt") == "three")
    #expect(!FileManager.default.fileExists(atPath: directory.path("a.album/\(name)")))
    #expect(try directory.text("a.album/images/a.png") == "a")
    try await album.close()
  }

  @Test(arguments: names) func `A package is written although such a file has come or changed`(name: String)
    throws
  {
    let path = try makeAlbum()
    var package = try DocumentPackage(reading: path)
    for text in ["one", "two"] {
      try directory.write("a.album/\(name)", text)
      #expect(try package.changesOnDisk() == [])
      package.set(Array(text.utf8), named: "names.txt")
      package = try package.write(to: path, replacing: true)
      #expect(try directory.text("a.album/\(name)") == text)
    }
    // Bytes that the program gives replace the file, and it may remove the file.
    package.set(Array("own".utf8), named: name)
    package = try package.write(to: path, replacing: true)
    #expect(try directory.text("a.album/\(name)") == "own")
    package.remove(name)
    try package.write(to: path, replacing: true)
    #expect(!FileManager.default.fileExists(atPath: directory.path("a.album/\(name)")))
  }

  @Test func `A change of another file is still one`() throws {
    let path = try makeAlbum()
    let package = try DocumentPackage(reading: path)
    try directory.write("a.album/.DS_Store", "x")
    try directory.write("a.album/other.txt", "x")
    #expect(try package.changesOnDisk() == ["other.txt"])
    #expect(throws: FerryError(.package(.changed(["other.txt"])))) {
      try package.write(to: path, replacing: true)
    }
  }

  @Test func `A package that was read with such a file is written elsewhere after the file is gone`() throws {
    let path = try makeAlbum()
    try directory.write("a.album/.DS_Store", "x")
    let package = try DocumentPackage(reading: path)
    try FileManager.default.removeItem(atPath: directory.path("a.album/.DS_Store"))
    try package.write(to: directory.path("b.album"))
    #expect(try directory.names(in: "b.album") == ["images", "names.txt"])
  }

  @Test func `A file of the package replaces such a file whose name differs only in case`() throws {
    let path = try makeAlbum()
    var package = try DocumentPackage(reading: path)
    try directory.write("a.album/Thumbs.db", "x")
    package.set(Array("own".utf8), named: "thumbs.db")
    try package.write(to: path, replacing: true)
    #expect(try directory.names(in: "a.album") == ["images", "names.txt", "thumbs.db"])
  }
}
