/// A check that keeps an edit of an archive from writing objects that no program could read. It compares the
/// objects that the edit touches before and after the edit.
struct ArchiveGuard {
  private let list: EditedPropertyList
  private let catalog: ClassCatalog
  /// The number of objects before the edit.
  private let count: Int
  /// The objects whose contents the edit may change.
  private let touched: [ObjectNumber: Touched]
  private let flawOfTop: ObjectFlaw?

  /// The state of an object before the edit.
  private struct Touched {
    var flaw: ObjectFlaw?
    var value: Value?
  }

  /// The number of levels that are checked: the object that contains the value, and the objects that contain
  /// that object.
  private static let levels = 3

  /// Creates a check for an edit at the end of a path. Fails if the file is not an archive, or cannot be
  /// opened as one.
  init?(of list: EditedPropertyList, _ catalog: ClassCatalog, _ walk: EditableFile.Walk, asStored: Bool)
    throws(FerryError)
  {
    guard try list.isKeyedArchive, let flaws = ArchiveFlaws(of: list, catalog) else {
      return nil
    }
    (self.list, self.catalog, count) = (list, catalog, flaws.count)
    flawOfTop = try flaws.flawOfTop()
    var numbers: Set<ObjectNumber> = []
    for location in (walk.passed + [walk.location]).suffix(Self.levels) {
      if let number = try Self.number(of: location, in: list) { numbers.insert(number) }
      if case .uid(let uid) = try list.kind(of: location.node), uid < UInt64(count) {
        numbers.insert(ObjectNumber(Int(uid)))
      }
    }
    let all = try list.value("$objects", of: list.root)
    if walk.location.node == list.root || walk.location.node == all {
      numbers = Set(flaws.numbers)
    }
    // A path that begins with an object's number does not pass the objects that refer to it, so they are
    // added.
    if numbers.count < count, asStored || walk.path.steps.first == .key("$objects") {
      for _ in 1..<Self.levels { numbers.formUnion(try flaws.referrers(of: numbers)) }
    }
    var known: [ObjectNumber: Touched] = [:]
    for number in numbers {
      known[number] = Touched(flaw: try flaws.flaw(of: number), value: try flaws.value(of: number))
    }
    touched = known
  }

  /// Creates a check of all objects, for many edits. It repairs no object, because it does not keep their decoded forms. Fails if the
  /// file is not an archive, or cannot be opened as one.
  init?(ofAllObjectsIn list: EditedPropertyList, _ catalog: ClassCatalog) throws(FerryError) {
    guard try list.isKeyedArchive, let flaws = ArchiveFlaws(of: list, catalog) else { return nil }
    (self.list, self.catalog, count) = (list, catalog, flaws.count)
    flawOfTop = try flaws.flawOfTop()
    var known: [ObjectNumber: Touched] = [:]
    for number in flaws.numbers { known[number] = Touched(flaw: try flaws.flaw(of: number)) }
    touched = known
  }

  /// Returns the number of the object that contains a location.
  private static func number(of location: ValueLocation, in list: EditedPropertyList) throws(FerryError)
    -> ObjectNumber?
  {
    guard location.trail.children.count > 1, let entry = try list.entry("$objects", of: list.root),
      location.trail.children[0] == .value(entry), case .element(let number) = location.trail.children[1]
    else { return nil }
    return ObjectNumber(number)
  }

  /// Repairs the flaws that the edit has added, if there is one clear repair.
  ///
  /// - Throws: A `FerryError` with the reason `PathProblem.cannotPut` for a flaw that remains.
  func check(with editor: ArchiveEditor?) throws(FerryError) {
    guard let flaws = ArchiveFlaws(of: list, catalog) else {
      throw FerryError(.path(.cannotPut("this value", "the file would no longer be an archive")))
    }
    if let flaw = try flaws.flawOfTop(), flaw != flawOfTop, !Self.isOld(flaw, editor) {
      throw Self.refusal(flaw)
    }
    for (number, old) in touched.sorted(by: { $0.key < $1.key }) where number.index < flaws.count {
      try check(number, flaws, old: old, with: editor)
    }
    for number in flaws.numbers.dropFirst(count) where editor?.references.isFiller(number) != true {
      try check(number, flaws, old: Touched(), with: editor)
    }
  }

  private func check(
    _ number: ObjectNumber, _ flaws: ArchiveFlaws, old: Touched, with known: ArchiveEditor?
  ) throws(FerryError) {
    guard let flaw = try flaws.flaw(of: number, isNew: number.index >= count), flaw != old.flaw,
      !Self.isOld(flaw, known)
    else { return }
    let editor: ArchiveEditor
    if let known { editor = known } else { editor = try ArchiveEditor(list, catalog) }
    if let value = old.value, let decodedObject = try editor.decodedObject(number),
      let mended = decodedObject.entry.codec.mended(try decodedObject.value(), since: value)
    {
      try editor.change(decodedObject, to: mended)
      try editor.finish()
      guard let now = ArchiveFlaws(of: list, catalog), try now.flaw(of: number) != nil else { return }
    }
    throw Self.refusal(flaw)
  }

  /// Returns true if a flaw is a reference to an object that was missing before the edit. An object may have had another flaw then: a
  /// reference to a missing object whose number now is that of a filler, which is read as null.
  private static func isOld(_ flaw: ObjectFlaw, _ editor: ArchiveEditor?) -> Bool {
    guard case .missingObject(let number, _) = flaw else { return false }
    return editor?.references.isMissing(number) == true
  }

  private static func refusal(_ flaw: ObjectFlaw) -> FerryError {
    FerryError(.path(.cannotPut("this value", .flaw(flaw))))
  }
}
