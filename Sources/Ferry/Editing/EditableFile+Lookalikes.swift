// The check that a change makes no dictionary that becomes a reference when the file is read again.

extension EditableFile {
  /// True if the file's format writes references as dictionaries with the key `CF$UID`, and the user edits
  /// decoded values. In raw form, such a dictionary is meant as a reference.
  private var hasLookalikes: Bool {
    format.capabilities.contains(.uids) && !format.isBinaryPropertyList && archive == nil
      && options.representation != .raw
  }

  /// Throws if a new value contains a dictionary that would be read as a reference.
  func checkLookalikes(in value: Value) throws(FerryError) {
    guard hasLookalikes else { return }
    let losses = LossReport()
    try value.replay(into: ReferenceLookalikes(to: NullSink(), losses: losses) { ValuePath() })
    if !losses.isEmpty { throw Self.lookalike }
  }

  /// Throws if the dictionary at a location would be read as a reference.
  func checkLookalike(at location: ValueLocation) throws(FerryError) {
    guard hasLookalikes else { return }
    let node = try list.node(at: location.trail)
    guard case .dictionary(1) = try list.kind(of: node), try list.isString(list.key(0, of: node), "CF$UID"),
      case .integer(let number) = try list.kind(of: list.value(0, of: node)), UInt64(exactly: number) != nil
    else { return }
    throw Self.lookalike
  }

  /// Throws if JSON for a value of an archive has a reference as `get` prints it in raw form. The object would lose its keys, and get a key
  /// `CF$UID`.
  func checkReferences(in change: Change, at location: ValueLocation) throws(FerryError) {
    guard archive != nil else { return }
    switch change {
    case .remove, .rename: return
    case .insert(let new):
      guard json(of: new)?.hasStoredReference == true else { return }
    case .set(let new), .setOrInsert(let new):
      guard json(of: new)?.hasStoredReference == true else { return }
      // An existing dictionary that only looks like a reference stays.
      if try shown(at: location).json.hasStoredReference { return }
    }
    throw FerryError(.archive(.rawReference))
  }

  private static var lookalike: FerryError {
    FerryError(.path(.cannotPut("a dictionary with only the number CF$UID", .becomesReference)))
  }
}

extension Value {
  /// True if a part of JSON is a reference by the number of an object, `{"CF$UID": 5}`.
  fileprivate var hasStoredReference: Bool {
    if case .dictionary(let entries) = self, entries.count == 1, entries["CF$UID"]?.wholeNumber != nil {
      return true
    }
    return parts.contains(where: \.hasStoredReference)
  }
}
