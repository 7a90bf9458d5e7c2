import TestSupport
import Testing

@testable import Ferry

/// A package of things in a few words: its things, each with its place and its image's name, and its files.
private struct Pack: Sendable {
  var things: [String]
  var files: [String: String]

  /// `Robot@Shelf=image.png`, and files with what is in them; `→ x` is a link, and nothing at all a folder.
  init(_ things: String..., files: KeyValuePairs<String, String>) {
    self.things = things
    self.files = Dictionary(uniqueKeysWithValues: files.map { ($0.key, $0.value) })
  }

  func package() throws -> DocumentPackage {
    let records = things.map { thing -> Value in
      let halves = thing.split(separator: "=", maxSplits: 1)
      let parts = (halves[0].split(separator: "@") + halves.dropFirst()).map(String.init)
      var fields = KeyedValues()
      for (key, part) in zip(["name", "location", "image.key"], parts) { fields[key] = .string(part) }
      return .object(ObjectValue(ObjectClass("MyWhatsit"), content: .dictionary(fields)))
    }
    var package = DocumentPackage()
    package.set(try Archived.bytes(.array(records)), named: "things.data")
    for (name, words) in files.sorted(by: { $0.key < $1.key }) {
      if words.hasPrefix("→ ") {
        package.setLink(to: String(words.dropFirst(2)), named: name)
      } else if words.isEmpty {
        package.setFolder(DocumentPackage(), named: name)
      } else {
        package.set(Array(words.utf8), named: name)
      }
    }
    return package
  }

  init(_ package: DocumentPackage) throws {
    things = []
    files = [:]
    let records = try Archived.value(package.bytes(of: "things.data") ?? [])
    for case .object(let thing) in records.listElements ?? [] {
      let field = { (name: String) in
        if case .string(let text)? = thing.content[name]?.scalar { text } else { "" }
      }
      let image = field("image.key")
      things.append("\(field("name"))@\(field("location"))\(image.isEmpty ? "" : "=\(image)")")
    }
    for (path, entry) in package.entries where path.text != "things.data" {
      switch entry {
      case .file(let file): files[path.text] = String(decoding: try file.bytes(), as: UTF8.self)
      case .link(let target): files[path.text] = "→ \(target)"
      case .folder: files[path.text] = ""
      }
    }
  }
}

private struct PackageCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let base: Pack?
  let ours, theirs: Pack
  var favored: FavoredSide?
  let things: [String]
  let files: [String: String]
  var conflicts: [String] = []
}

private let second = "1__#$!@%!#__image.png"
private let third = "2__#$!@%!#__image.png"

@Suite struct `Merges of packages` {
  private static let robot = Pack("Robot@Shelf=image.png", files: ["image.png": "robot"])

  fileprivate static let cases: [PackageCase] = [
    PackageCase(
      testDescription: "keep what each side added, changed and removed",
      base: Pack(
        "Robot@Shelf=image.png", "Boots@Hall=boots.png",
        files: ["image.png": "robot", "boots.png": "b", "notes": "n"]),
      ours: Pack("Robot@Attic=image.png", files: ["image.png": "robot", "notes": "n", "ours": "o"]),
      theirs: Pack(
        "Robot@Shelf=image.png", "Boots@Hall=boots.png", "Lamp@Desk=\(second)",
        files: ["image.png": "red robot", "boots.png": "b", second: "lamp", "more": "m"]),
      things: ["Robot@Attic=image.png", "Lamp@Desk=\(second)"],
      files: ["image.png": "red robot", second: "lamp", "ours": "o", "more": "m"]),
    PackageCase(
      testDescription: "keep two images of one name, and their record has the new one",
      base: robot,
      ours: Pack(
        "Robot@Shelf=image.png", "Lamp@Desk=\(second)", files: ["image.png": "robot", second: "lamp"]),
      theirs: Pack(
        "Robot@Shelf=image.png", "Bed@Room=\(second)", files: ["image.png": "robot", second: "bed"]),
      things: ["Robot@Shelf=image.png", "Lamp@Desk=\(second)", "Bed@Room=\(third)"],
      files: ["image.png": "robot", second: "lamp", third: "bed"]),
    PackageCase(
      testDescription: "let nothing give way to what is renamed",
      base: Pack(files: [:]),
      ours: Pack("Lamp@Desk=image.png", files: ["image.png": "lamp"]),
      theirs: Pack("Bed@Room=image.png", "Fan@Room=\(second)", files: ["image.png": "bed", second: "fan"]),
      things: ["Lamp@Desk=image.png", "Bed@Room=\(third)", "Fan@Room=\(second)"],
      files: ["image.png": "lamp", second: "fan", third: "bed"]),
    PackageCase(
      testDescription: "keep an image of both sides once",
      base: nil, ours: Pack("Lamp@Desk=image.png", files: ["image.png": "same"]),
      theirs: Pack("Bed@Room=image.png", files: ["image.png": "same"]),
      things: ["Lamp@Desk=image.png", "Bed@Room=image.png"], files: ["image.png": "same"]),
    PackageCase(
      testDescription: "keep apart a new image under the name of a removed one",
      base: robot,
      ours: Pack("Lamp@Desk=image.png", files: ["image.png": "lamp"]),
      theirs: Pack(
        "Robot@Shelf=image.png", "Twin@Shelf=image.png", files: ["image.png": "robot"]),
      things: ["Lamp@Desk=image.png", "Twin@Shelf=\(second)"],
      files: ["image.png": "lamp", second: "robot"]),
    PackageCase(
      testDescription: "keep an image that one side no longer needs and the other needs more",
      base: robot, ours: Pack(files: [:]),
      theirs: Pack("Robot@Shelf=image.png", "Twin@Shelf=image.png", files: ["image.png": "robot"]),
      things: ["Twin@Shelf=image.png"], files: ["image.png": "robot"]),
    PackageCase(
      testDescription: "keep our file of another program without a conflict",
      base: Pack(files: [".DS_Store": "base"]), ours: Pack(files: [".DS_Store": "ours"]),
      theirs: Pack(files: [".DS_Store": "theirs"]), things: [], files: [".DS_Store": "ours"]),
    PackageCase(
      testDescription: "are in conflict where both changed an image",
      base: robot, ours: Pack("Robot@Shelf=image.png", files: ["image.png": "blue robot"]),
      theirs: Pack("Robot@Attic=image.png", files: ["image.png": "red"]), favored: .theirs,
      things: ["Robot@Attic=image.png"], files: ["image.png": "red"],
      conflicts: ["image.png: ours 10 bytes, theirs 3 bytes, base 5 bytes"]),
    PackageCase(
      testDescription: "are in conflict where one changed a thing with its image that the other changed too",
      base: robot, ours: Pack("Robby@Shelf=image.png", files: ["image.png": "blue robot"]),
      theirs: Pack("Robo@Shelf=image.png", files: ["image.png": "robot"]), favored: .theirs,
      things: ["Robo@Shelf=image.png"], files: ["image.png": "robot"],
      conflicts: [
        #"[0]: ours MyWhatsit {image.key: "image.png", name: "Robby", location: "Shelf"}, theirs MyWhatsit "#
          + #"{image.key: "image.png", name: "Robo", location: "Shelf"}, base MyWhatsit "#
          + #"{image.key: "image.png", name: "Robot", location: "Shelf"}"#,
        "image.png: ours 10 bytes, theirs 5 bytes, base 5 bytes",
      ]),
    PackageCase(
      testDescription: "are in conflict where one removed a thing whose image the other changed",
      base: robot, ours: Pack(files: [:]),
      theirs: Pack("Robot@Shelf=image.png", files: ["image.png": "red"]), favored: .theirs,
      things: ["Robot@Shelf=image.png"], files: ["image.png": "red"],
      conflicts: ["image.png: ours nothing, theirs 3 bytes, base 5 bytes"]),
    PackageCase(
      testDescription: "lose a thing and its image together",
      base: robot, ours: Pack(files: [:]),
      theirs: Pack("Robot@Attic=image.png", files: ["image.png": "robot"]), favored: .ours,
      things: [], files: [:],
      conflicts: [
        #"[0]: ours nothing, theirs MyWhatsit {image.key: "image.png", name: "Robot", location: "Attic"}, "#
          + #"base MyWhatsit {image.key: "image.png", name: "Robot", location: "Shelf"}"#
      ]),
    PackageCase(
      testDescription: "keep a thing and its image together",
      base: robot, ours: Pack(files: [:]),
      theirs: Pack("Robot@Attic=image.png", files: ["image.png": "robot"]), favored: .theirs,
      things: ["Robot@Attic=image.png"], files: ["image.png": "robot"],
      conflicts: [
        #"[0]: ours nothing, theirs MyWhatsit {image.key: "image.png", name: "Robot", location: "Attic"}, "#
          + #"base MyWhatsit {image.key: "image.png", name: "Robot", location: "Shelf"}"#
      ]),
    PackageCase(
      testDescription: "are in conflict where both gave a thing its image",
      base: Pack("Robot@Shelf", "Bed@Room", files: [:]),
      ours: Pack("Robot@Shelf=image.png", "Bed@Room", files: ["image.png": "mine"]),
      theirs: Pack("Robot@Shelf=image.png", "Bed@Room", files: ["image.png": "theirs"]), favored: .theirs,
      things: ["Robot@Shelf=image.png", "Bed@Room"], files: ["image.png": "theirs"],
      conflicts: ["image.png: ours 4 bytes, theirs 6 bytes, base nothing"]),
    PackageCase(
      testDescription: "drop an image that no thing has any more",
      base: Pack("Robot@Shelf", "Bed@Room", files: [:]),
      ours: Pack("Robot@Shelf=a.png", "Bed@Room", files: ["a.png": "mine"]),
      theirs: Pack("Robot@Shelf=b.png", "Bed@Room", files: ["b.png": "theirs"]), favored: .ours,
      things: ["Robot@Shelf=a.png", "Bed@Room"], files: ["a.png": "mine"],
      conflicts: [#"[0]["image.key"]: ours "a.png", theirs "b.png", base nothing"#]),
    PackageCase(
      testDescription: "merge other files by their names",
      base: Pack(files: ["a": "1", "b": "1", "c": "1", "d/e": "1", "l": "→ x", "f": ""]),
      ours: Pack(files: ["a": "2", "b": "1", "c": "1", "d/e": "1", "l": "→ y", "d/new": "n", "f": ""]),
      theirs: Pack(files: ["a": "1", "c": "3", "d/e": "22", "l": "→ x"]), things: [],
      files: ["a": "2", "c": "3", "d/e": "22", "d/new": "n", "l": "→ y"]),
    PackageCase(
      testDescription: "are in conflict where other files were changed by both, ours",
      base: Pack(files: ["a": "1", "b": "1", "l": "→ x"]),
      ours: Pack(files: ["a": "22", "l": "→ y", "n": "1", "k": "1"]),
      theirs: Pack(files: ["a": "333", "b": "1b", "l": "→ z", "n": "→ a", "k/x": "1"]), favored: .ours,
      things: [], files: ["a": "22", "l": "→ y", "n": "1", "k": "1"],
      conflicts: [
        "a: ours 2 bytes, theirs 3 bytes, base 1 byte", "b: ours nothing, theirs 2 bytes, base 1 byte",
        "k: ours 1 byte, theirs nothing, base nothing",
        "l: ours a link to y, theirs a link to z, base a link to x",
        "n: ours 1 byte, theirs a link to a, base nothing",
      ]),
    PackageCase(
      testDescription: "are in conflict where other files were changed by both, theirs",
      base: Pack(files: ["a": "1", "b": "1", "k": "0"]), ours: Pack(files: ["a": "22", "k": "1"]),
      theirs: Pack(files: ["a": "333", "b": "1b", "k": "", "k/x": "1", "k/y": "2"]), favored: .theirs,
      things: [], files: ["a": "333", "b": "1b", "k": "", "k/x": "1", "k/y": "2"],
      conflicts: [
        "a: ours 2 bytes, theirs 3 bytes, base 1 byte", "b: ours nothing, theirs 2 bytes, base 1 byte",
        "k: ours 1 byte, theirs a folder, base 1 byte",
      ]),
    PackageCase(
      testDescription: "replace a file by a folder that one side made of it",
      base: Pack(files: ["k": "0"]), ours: Pack(files: ["k": "0"]),
      theirs: Pack(files: ["k": "", "k/x": "1"]), things: [], files: ["k": "", "k/x": "1"]),
    PackageCase(
      testDescription: "keep images in folders",
      base: Pack(files: ["images": ""]),
      ours: Pack("Lamp@Desk=images/a.png", files: ["images": "", "images/a.png": "lamp"]),
      theirs: Pack("Bed@Room=images/a.png", files: ["images": "", "images/a.png": "bed"]),
      things: ["Lamp@Desk=images/a.png", "Bed@Room=images/1__#$!@%!#__a.png"],
      files: ["images": "", "images/a.png": "lamp", "images/1__#$!@%!#__a.png": "bed"]),
    PackageCase(
      testDescription: "drop an image that a side has left behind without its thing, ours",
      base: robot, ours: Pack(files: ["image.png": "robot"]), theirs: robot, things: [], files: [:]),
    PackageCase(
      testDescription: "drop an image that a side has left behind without its thing, theirs",
      base: Pack("Robot@Shelf=image.png", "Boots@Hall", files: ["image.png": "robot"]),
      ours: Pack("Robot@Shelf=image.png", "Boots@Attic", files: ["image.png": "robot"]),
      theirs: Pack("Boots@Hall", files: ["image.png": "robot"]), things: ["Boots@Attic"], files: [:]),
    PackageCase(
      testDescription: "drop an image that both sides have left behind without its thing",
      base: Pack("Robot@Shelf=image.png", "Boots@Hall", files: ["image.png": "robot"]),
      ours: Pack("Boots@Attic", files: ["image.png": "robot"]),
      theirs: Pack("Boots@Hall", files: ["image.png": "robot"]), things: ["Boots@Attic"], files: [:]),
    PackageCase(
      testDescription: "keep an image that a side has left behind for a thing that another names",
      base: robot, ours: Pack(files: ["image.png": "robot"]),
      theirs: Pack("Robot@Shelf=image.png", "Twin@Shelf=image.png", files: ["image.png": "robot"]),
      things: ["Twin@Shelf=image.png"], files: ["image.png": "robot"]),
    PackageCase(
      testDescription: "keep a file that a side has made of an image without a thing",
      base: robot, ours: Pack(files: ["image.png": "drawing"]), theirs: robot, things: [],
      files: ["image.png": "drawing"]),
    PackageCase(
      testDescription: "keep what no record has ever named",
      base: Pack("Boots@Hall", files: ["image.png": "robot"]),
      ours: Pack(files: ["image.png": "robot"]), theirs: Pack("Boots@Attic", files: ["image.png": "robot"]),
      favored: .ours, things: [], files: ["image.png": "robot"],
      conflicts: [
        #"[0]: ours nothing, theirs MyWhatsit {name: "Boots", location: "Attic"}, "#
          + #"base MyWhatsit {name: "Boots", location: "Hall"}"#
      ]),
    PackageCase(
      testDescription: "take the file of the records for no image",
      base: Pack("Robot@Shelf=things.data", files: [:]), ours: Pack("Robot@Attic=things.data", files: [:]),
      theirs: Pack("Robot@Shelf=things.data", "Bed@Room=../x", files: [:]),
      things: ["Robot@Attic=things.data", "Bed@Room=../x"], files: [:]),
    PackageCase(
      testDescription: "find the image of a thing that had lost it",
      base: robot, ours: Pack("Robot@Attic=image.png", files: [:]),
      theirs: Pack("Robot@Shelf=image.png", files: ["image.png": "red"]),
      things: ["Robot@Attic=image.png"], files: ["image.png": "red"]),
  ]

  private func merge(_ each: PackageCase, _ merge: DocumentMerge) throws -> DocumentMerge.PackageResult {
    let ours = try merge.read(each.ours.package())
    let theirs = try merge.read(each.theirs.package(), as: ours)
    let base = try each.base.map { try merge.read($0.package(), as: ours) }
    return try merge.merge(base: base, ours: ours, theirs: theirs)
  }

  @Test(arguments: Self.cases) private func `Merged packages have the changes of both sides`(
    _ each: PackageCase
  ) throws {
    var merge = DocumentMerge()
    (merge.type, merge.favored) = (.things, each.favored ?? .ours)
    let result = try self.merge(each, merge)
    let conflicts = result.conflicts.map(\.description) + result.fileConflicts.map(\.description)
    #expect(conflicts == each.conflicts)
    let merged = try Pack(result.package)
    #expect(merged.things == each.things)
    #expect(merged.files == each.files)
  }

  @Test(arguments: Self.cases)
  private func `Merged packages name no missing image, whichever side is favored`(
    _ each: PackageCase
  ) throws {
    for (favored, key) in [(FavoredSide.ours, nil), (.theirs, nil), (.ours, "name"), (.theirs, "imageKey")] {
      var merge = DocumentMerge()
      (merge.type, merge.favored, merge.key) = (.things, favored, key)
      // Not every record has an image, and two may have one.
      guard let result = try? self.merge(each, merge) else {
        #expect(key == "imageKey")
        continue
      }
      let merged = try Pack(result.package)
      guard each.ours.things.first?.hasSuffix("=things.data") != true else { continue }
      for image in merged.things.compactMap({ $0.split(separator: "=", maxSplits: 1).dropFirst().first }) {
        #expect(merged.files[String(image)] != nil, "\(image), \(favored), \(key ?? "")")
      }
    }
  }

  @Test
  func `A column that one side adds to the empty table of a package stays if the other side adds a row`()
    throws
  {
    var merge = DocumentMerge()
    merge.type = DocumentType(
      name: "people", identifier: "com.example.people", extensions: ["people"],
      layout: .package(main: "people", .csv, files: nil))
    func package(_ table: String) -> DocumentPackage {
      var package = DocumentPackage()
      package.set(Array(table.utf8), named: "people")
      return package
    }
    let ours = try merge.read(package("id,a\nv,x\n"))
    let theirs = try merge.read(package("id,a,b\n"), as: ours)
    let base = try merge.read(package("id,a\n"), as: ours)
    let merged = try merge.merge(base: base, ours: ours, theirs: theirs).package
    let text = String(decoding: try merged.bytes(of: "people") ?? [], as: UTF8.self)
    #expect(text.hasPrefix("id,a,b\nv,x,"))
  }

  @Test func `Packages whose key is the name of the image are merged by name`() throws {
    var merge = DocumentMerge()
    (merge.type, merge.key) = (.things, "imageKey")
    let each = PackageCase(
      testDescription: "", base: Self.robot,
      ours: Pack("Robot@Attic=image.png", files: ["image.png": "robot"]),
      theirs: Pack("Robot@Shelf=image.png", files: ["image.png": "red"]), things: [], files: [:])
    let merged = try Pack(try self.merge(each, merge).package)
    #expect(merged.things == ["Robot@Attic=image.png"])
    #expect(merged.files == ["image.png": "red"])
  }

  @Test func `Merged packages have the bytes of the only side with a change`() throws {
    var merge = DocumentMerge()
    merge.type = .things
    let changed = Pack("Robot@Attic=image.png", files: ["image.png": "red", "more": "m"])
    for (ours, theirs) in [(changed, Self.robot), (Self.robot, changed)] {
      let each = PackageCase(
        testDescription: "", base: Self.robot, ours: ours, theirs: theirs, things: [], files: [:])
      let package = try self.merge(each, merge).package
      #expect(try package.bytes(of: "things.data") == changed.package().bytes(of: "things.data"))
      #expect(package.paths == ["image.png", "more", "things.data"])
    }
  }

  /// Merges three versions of a package whose records are YAML and name no files. Returns the merged YAML.
  private func mergedYAML(base: String, ours: String, theirs: String) throws -> String {
    var merge = DocumentMerge()
    merge.type = DocumentType(
      name: "trip", identifier: "com.example.trip", extensions: ["trip"],
      layout: .package(main: "x.yaml", .yaml, files: nil))
    func package(_ text: String) -> DocumentPackage {
      var package = DocumentPackage()
      package.set(Array(text.utf8), named: "x.yaml")
      return package
    }
    let ours = try merge.read(package(ours))
    let theirs = try merge.read(package(theirs), as: ours)
    let base = try merge.read(package(base), as: ours)
    let merged = try merge.merge(base: base, ours: ours, theirs: theirs)
    #expect(merged.conflicts.isEmpty && merged.textConflicts.isEmpty)
    return String(decoding: try merged.package.bytes(of: "x.yaml") ?? [], as: UTF8.self)
  }

  @Test func `Aliases in the records of a package without named files stay aliases`() throws {
    let text = try mergedYAML(
      base: "a: &A {x: 1}\nb: {x: 1}\n", ours: "a: &A {x: 1}\nb: *A\n",
      theirs: "a: &A {x: 2}\nb: {x: 1}\n")
    #expect(text == "a: &A {x: 2}\nb: *A\n")
  }

  @Test func `The documents of a YAML file in a package are merged as a list if one version has several`()
    throws
  {
    let text = try mergedYAML(
      base: "a: 1\n", ours: "a: 1\n---\nb: 2\n", theirs: "a: 1\n---\nc: 3\n")
    #expect(text == "a: 1\n---\nb: 2\n---\nc: 3\n")
  }

  @Test func `Packages without their records, or with a type of a file, are refused`()
    throws
  {
    var merge = DocumentMerge()
    merge.type = .things
    #expect(throws: FerryError(.package(.noMainFile("things.data")))) { try merge.read(DocumentPackage()) }
    merge.type = .peopleGroup
    #expect(throws: FerryError(.package(.notAPackage))) { try merge.read(Self.robot.package()) }
  }
}
