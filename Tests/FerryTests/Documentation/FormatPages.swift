import Ferry
import Foundation
import TestSupport
import Testing

private var directory: TemporaryDirectory { .current }

/// The examples of Swift in the pages on classes, documents, merging and seeding.
@Suite(.temporaryDirectory) struct `The pages with examples of Swift` {
  /// The bundle of an app with the resource `folks.xml`.
  private enum Bundle {
    struct Resources {
      func url(forResource name: String, withExtension type: String) -> URL? {
        URL(filePath: directory.path("\(name).\(type)"))
      }
    }

    static var main: Resources { Resources() }
  }

  private static let things = """
    <things><whatsit><name>Robot</name><location>Shelf</location><imageKey>image.png</imageKey></whatsit></things>
    """

  @Test func `A class catalog gets the classes of a file`() throws {
    let path = directory.path("classes.json")
    try directory.write("classes.json", #"{"ferry": 1, "classes": [{"class": "MyTag", "value": "tag"}]}"#)
    let catalog = ClassCatalog.standard.adding(try ClassCatalog(classesInFile: path))
    let color = catalog.entry(for: ObjectClass("NSColor"))
    // NSColorSpace: 1 and NSRGB: "1 0.5019607843 0", both inline
    let keys = try color?.archivedKeys(for: "#FF8000FF")
    // {"color": "#FF8000FF", "colorSpace": "calibratedRGB"}
    let value = try color?.decodedForm(of: keys ?? [])

    var conversion = Conversion(to: .json)
    conversion.reading.catalog = catalog
    #expect(value == ["color": "#FF8000FF", "colorSpace": "calibratedRGB"])
    #expect(keys?.count == 2)
  }

  @Test func `A package gets a file`() throws {
    let (path, png) = (directory.path("Things I Own.mystuff"), [UInt8]("new".utf8))
    try directory.makeDirectory("Things I Own.mystuff")
    try directory.write("Things I Own.mystuff/image.png", "old")
    var package = try DocumentPackage(reading: path)
    let image = try package.bytes(of: "image.png")  // read now
    let key = package.add(png, preferredName: "image.png")  // "1__#$!@%!#__image.png"
    try package.write(to: path, replacing: true)
    #expect(image == Array("old".utf8) && key == "1__#$!@%!#__image.png")
    #expect(try directory.text("Things I Own.mystuff/\(key)") == "new")
  }

  @Test func `Files are merged`() throws {
    let (baseBytes, oursBytes, theirsBytes) = (
      Array(#"{"a":1,"b":2}"#.utf8), Array(#"{"a":3,"b":2}"#.utf8), Array(#"{"a":1,"b":4}"#.utf8)
    )
    let merge = DocumentMerge()
    let ours = try merge.read(oursBytes)
    let theirs = try merge.read(theirsBytes, as: ours)
    let base = try merge.read(baseBytes, as: ours)
    let result = try merge.merge(base: base, ours: ours, theirs: theirs)
    let merged = result.bytes  // the merged document
    let conflicts = result.conflicts  // the values that both sides changed differently
    let textConflicts = result.textConflicts  // the comments that both sides changed differently
    #expect(String(decoding: merged, as: UTF8.self) == #"{"a":3,"b":4}"#)
    #expect(conflicts.isEmpty && textConflicts.isEmpty)
  }

  @Test func `Packages are merged`() throws {
    try directory.write("things.xml", Self.things)
    let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    try directory.write("image.png", signature)
    let (basePath, oursPath, theirsPath) = (
      directory.path("Base.mystuff"), directory.path("Ours.mystuff"), directory.path("Theirs.mystuff")
    )
    for path in [basePath, oursPath, theirsPath] {
      _ = try Seed(from: directory.path("things.xml")).seed(at: path)
    }
    try directory.write("Theirs.mystuff/image.png", signature + [1])
    var merge = DocumentMerge()
    merge.type = .things
    let ours = try merge.read(DocumentPackage(reading: oursPath))
    let theirs = try merge.read(DocumentPackage(reading: theirsPath), as: ours)
    let base = try merge.read(DocumentPackage(reading: basePath), as: ours)
    let result = try merge.merge(base: base, ours: ours, theirs: theirs)
    let conflicts = result.conflicts  // in records
    let fileConflicts = result.fileConflicts  // of files
    try result.package.write(to: oursPath, replacing: true)
    #expect(conflicts.isEmpty && fileConflicts.isEmpty)
    #expect(try directory.bytes("Ours.mystuff/image.png") == signature + [1])
  }

  @Test func `An app makes its first document from its data`() throws {
    try directory.write(
      "folks.xml", "<people><person><firstName>Ada</firstName><lastName>Lovelace</lastName></person></people>"
    )
    let (path, printed) = (directory.path("people.pplgrp"), Printed())
    func print(_ items: Any...) { printed.add(items) }
    guard let folks = Bundle.main.url(forResource: "folks", withExtension: "xml") else { return }
    let (outcome, losses) = try Seed(from: folks.path(percentEncoded: false)).seed(at: path)
    switch outcome {
    case .made(let count): print("made", count ?? 0)  // there was no document
    case .exists: print("exists")  // the document exists
    case .added(let keys): print("added", keys)  // with `addsMissing`: these records were added
    }
    if !losses.isEmpty { print(losses) }  // the data that the document cannot hold
    #expect(printed.text == "made 1")
  }
}
