// The check that objects remain readable with their new names.

extension ArchiveRenaming {
  /// Throws if an object was readable with the old names, but is not with the new ones.
  ///
  /// - Parameters:
  ///   - nodes: The archive with its old names.
  ///   - renamed: The archive with its new names.
  func checkObjects(of nodes: any PropertyListNodes, _ renamed: EditedPropertyList) throws(FerryError) {
    guard !acceptsUnfitObjects, let before = ArchiveFlaws(of: EditedPropertyList(nodes), .standard),
      let after = ArchiveFlaws(of: renamed, .standard)
    else { return }
    // Objects of classes whose layout is not known are readable with any names.
    let checksAll = (Array(classes.keys) + Array(classes.values)).contains {
      ObjectClass.known(named: $0) != nil
    }
    // The superclasses of a class are looked through once, because a class may have many objects.
    var (areNumbers, haveNewKeys): (Answers, Answers) = (
      Answers { $0.knownLayout == "NSNumber" },
      Answers { [exactKeys] type in ([type.name] + type.chain).contains { exactKeys[$0] != nil } }
    )
    for number in before.numbers.dropFirst() {
      guard let type = try before.type(of: number), checksAll || haveNewKeys[type] else { continue }
      if let flaw = try after.flaw(of: number), try before.flaw(of: number) == nil {
        throw unfit(flaw.description, number)
      }
      // An NSNumber with any keys has no flaw, because some archivers write numbers as objects with keys of their own.
      if let new = try after.type(of: number), areNumbers[new], !areNumbers[type] {
        throw unfit("\(MessageText.name(type.name)) has other archived keys than NSNumber", number)
      }
    }
  }

  private func unfit(_ why: String, _ number: ObjectNumber) -> FerryError {
    FerryError(
      .archive(.unfitName(why, isAcceptable: true)), at: InputLocation(object: number.index),
      path: ValuePath([.key("$objects"), .index(number.index)]))
  }
}

/// The answers to a question about classes, each of which is asked once.
private struct Answers {
  private let question: (ObjectClass) -> Bool
  private var known: [ObjectClass: Bool] = [:]

  init(_ question: @escaping (ObjectClass) -> Bool) { self.question = question }

  subscript(type: ObjectClass) -> Bool {
    mutating get {
      if let answer = known[type] { return answer }
      let answer = question(type)
      known[type] = answer
      return answer
    }
  }
}
