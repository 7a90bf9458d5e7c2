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
    let checksAll = (Array(classes.keys) + Array(classes.values)).contains(where: Self.isKnown)
    for number in before.numbers.dropFirst() {
      guard let type = try before.type(of: number), checksAll || keys[type.name] != nil,
        let flaw = try after.flaw(of: number), try before.flaw(of: number) == nil
      else { continue }
      throw FerryError(
        .archive(.unfitName(flaw.description)), at: Position(object: number.index),
        path: ValuePath([.key("$objects"), .index(number.index)]))
    }
  }

  /// Returns true if the layout of a class's objects is known. Objects of other classes are readable with
  /// any names.
  private static func isKnown(_ name: String) -> Bool {
    ClassCatalog.standard.type(named: name) != nil || ArchivedCollection.Kind(of: ObjectClass(name)) != nil
  }
}
