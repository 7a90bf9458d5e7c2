extension RecordTranslator {
  /// Returns a record with the rules for its version, or nil if there are none. The version becomes that of the records
  /// in it.
  func olderRecord(
    of type: RecordType, at dictionary: TapeIndex, of tape: EventTape
  ) throws(FerryError) -> OlderRecord? {
    guard let versions = type.versions else { return nil }
    let absent = options.hasUpdatedRecords ? versions.current : versions.absent
    let version = try statedVersion(of: type, at: dictionary, of: tape) ?? versionAround ?? absent
    try check(version, of: type, versions)
    versionAround = version
    guard let rules = versions.rules(of: version) else { return nil }
    return OlderRecord(type: type, rules: rules, dictionary: dictionary, tape: tape, translator: self)
  }

  /// Refuses, or reports, a version newer than the schema's.
  private func check(_ version: Int, of type: RecordType, _ versions: RecordVersions) throws(FerryError) {
    guard version > versions.current else { return }
    hasNotedNewerVersion = true
    guard options.readsNewerVersions else {
      throw FerryError(.record(.newerVersion(version, record: type.element, known: versions.current)))
    }
    losses.add(.newerVersion)
  }

  /// Refuses, or reports, a newer version of the enclosing document, unless a record has been.
  func checkVersionAround(of type: RecordType) throws(FerryError) {
    guard let version = versionAround, let versions = type.versions, !hasNotedNewerVersion else { return }
    try check(version, of: type, versions)
  }

  /// Returns the version that the record's own field states, or nil.
  private func statedVersion(
    of type: RecordType, at dictionary: TapeIndex, of tape: EventTape
  ) throws(FerryError) -> Int? {
    guard let field = type.versionField else { return nil }
    for (key, value) in tape.entries(of: dictionary) where tape.kind(at: value) != .null {
      if let found = match(type, key: key, tape), found.field == field {
        return try version(at: value, named: type.fields[field].name, tape)
      }
    }
    return nil
  }

  /// Returns the version number in a value.
  func version(at index: TapeIndex, named name: String, _ tape: EventTape) throws(FerryError) -> Int {
    let number: Int? =
      switch tape.kind(at: index) {
      case .integer: Int(exactly: tape.integer(at: index))
      case .string where source.scalarsAreText: Int(tape.string(at: index).trimmed)
      default: nil
      }
    guard let number, number > 0 else {
      throw FerryError(
        .record(.badField(name, wanted: "a version from 1 on", found: tape.words(at: index))),
        path: ValuePath([.key(name)]))
    }
    return number
  }
}
