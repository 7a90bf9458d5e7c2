// The check that objects remain readable with their new names.

extension ArchiveRenaming {
  /// Throws if an object was readable with the old names, but is not with the new ones.
  ///
  /// - Parameters:
  ///   - nodes: The archive with its old names.
  ///   - renamed: The archive with its new names.
  func checkObjects(of nodes: any PropertyListNodes, _ renamed: EditedPropertyList) throws(FerryError) {
    guard let before = ArchiveFlaws(of: EditedPropertyList(nodes), .standard),
      let after = ArchiveFlaws(of: renamed, .standard)
    else { return }
    let keys = [ExactString: [String: String]](exactly: keys)
    // Objects of classes whose layout is not known are readable with any names.
    let checksAll = (Array(classes.keys) + Array(classes.values)).contains {
      ObjectClass.known(named: $0) != nil
    }
    // The superclasses of a class are looked through once, because a class may have many objects.
    var areNumbers: [ObjectClass: Bool] = [:]
    func isNumber(_ type: ObjectClass) -> Bool {
      if let known = areNumbers[type] { return known }
      let isNumber = type.knownLayout == "NSNumber"
      areNumbers[type] = isNumber
      return isNumber
    }
    for number in before.numbers.dropFirst() {
      guard let type = try before.type(of: number), checksAll || keys[type.name] != nil else { continue }
      if let flaw = try after.flaw(of: number), try before.flaw(of: number) == nil {
        throw unfit(flaw.description, number)
      }
      // An NSNumber with any keys has no flaw, because some archivers write numbers as objects with keys of their own.
      if let new = try after.type(of: number), isNumber(new), !isNumber(type) {
        throw unfit("\(nameForMessage(type.name)) has other archived keys than NSNumber", number)
      }
    }
  }

  private func unfit(_ why: String, _ number: ObjectNumber) -> FerryError {
    FerryError(
      .archive(.unfitName(why)), at: InputLocation(object: number.index),
      path: ValuePath([.key("$objects"), .index(number.index)]))
  }
}
