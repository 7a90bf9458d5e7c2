// Merges of versions whose formats hold different kinds of values.

extension DocumentMerge {
  /// Returns the base and their version with the values that the format of ours has for theirs: the number 1 of JSON is the text "1" in CSV.
  /// Otherwise the change of a format would count as a change of each value, and of the keys of records.
  ///
  /// - Throws: A `MergeError` with the reason `DocumentProblem.losesBase` or `losesOurs` if values cannot be compared, or an error of a
  ///   value that the format of ours cannot represent.
  func comparable(_ versions: MergedVersions) throws(MergeError) -> MergedVersions {
    try checkHoldBase(versions)
    for side in [MergeSide.base, .theirs] {
      if let version = versions[side] { try Self.check(version, side, holdsTypesOf: versions.ours) }
    }
    var comparable = versions
    for side in [MergeSide.base, .theirs] {
      guard let version = versions[side] else { continue }
      comparable.replace(side, by: try held(version, side, by: versions.ours))
    }
    return comparable
  }

  // MARK: Versions with fewer kinds of values

  /// Throws if the format of a side loses a value of the base, because the loss would count as a change by that
  /// side.
  private func checkHoldBase(_ versions: MergedVersions) throws(MergeError) {
    guard let base = versions.base else { return }
    for (side, version) in [(MergeSide.ours, versions.ours), (.theirs, versions.theirs)] {
      guard let loss = try Self.losses(of: base, in: version, side).first else { continue }
      let problem = DocumentProblem.losesBase(format: version.format.description.noun, loss.kind)
      throw MergeError(side: side, error: FerryError(.document(problem), path: loss.path))
    }
  }

  /// Throws if all scalars of a version are text, but not those of ours: a text could be a value of ours, or have replaced it.
  private static func check(
    _ version: Version, _ side: MergeSide, holdsTypesOf ours: Version
  ) throws(MergeError) {
    guard version.shape.dialect.scalarsAreText, !ours.shape.dialect.scalarsAreText,
      !version.value.parts.isEmpty
    else { return }
    let losses = try losses(of: ours, in: version, side)
    guard let loss = losses.first(where: { $0.kind.makesText }) else { return }
    let problem = DocumentProblem.losesOurs(format: version.format.description.noun, loss.kind)
    throw MergeError(side: side, error: FerryError(.document(problem), path: loss.path))
  }

  /// Returns the losses of the values of one version in the format of another; none if a schema gives the values their types again.
  private static func losses(
    of source: Version, in version: Version, _ side: MergeSide
  ) throws(MergeError) -> [Loss] {
    let capabilities = version.shape.capabilities
    guard !version.isMapped, !capabilities.isSuperset(of: source.shape.capabilities) else { return [] }
    return try MergeError.of(side) { () throws(FerryError) in
      let losses = LossReport()
      let form = PlainForm(to: NullSink(), capabilities: capabilities, losses: losses)
      try source.value.replay(into: ObjectKeys(to: form))
      return losses.losses
    }
  }

  // MARK: Versions with more kinds of values

  /// Returns a version with the values that the format of ours has for its values, and with their losses.
  private func held(
    _ version: Version, _ side: MergeSide, by ours: Version
  ) throws(MergeError) -> Version {
    guard try isHeldOtherwise(version, side, by: ours) else { return version }
    return try MergeError.of(side) { () throws(FerryError) in
      let reading = files(for: ours).withoutSchema(in: ours.format)
      let losses = LossReport()
      losses.add(version.losses)
      let bytes = try reading.bytes(
        of: version.value, in: NewRecordFile(format: ours.format, types: ours.types), losses: losses)
      do throws(FerryError) {
        let value = try reading.read(bytes, named: nil, as: ours.shape).value
        return version.replacing(value: value, losses: losses.all)
      } catch {
        // The user never sees the bytes, so a location in them would not help.
        throw FerryError(error.reason, path: error.path)
      }
    }
  }

  /// Returns true if the format of ours may have other values for those of a version.
  private func isHeldOtherwise(
    _ version: Version, _ side: MergeSide, by ours: Version
  ) throws(MergeError) -> Bool {
    guard version.format != ours.format, !version.isMapped, !ours.isMapped, !ours.shape.isArchive,
      ours.format.canWrite, !ours.shape.capabilities.isSuperset(of: version.shape.capabilities)
    else { return false }
    guard ours.format.description.shape != .rows else {
      return version.records?.allSatisfy(\.isRecord) ?? false
    }
    guard !ours.shape.dialect.scalarsAreText else { return true }
    return try !Self.losses(of: version, in: ours, side).isEmpty
  }
}

extension RecordDocument {
  /// Returns the document with another value and other losses.
  func replacing(value: Value, losses: Losses) -> RecordDocument {
    RecordDocument(
      format: format, schema: schema, value: value, bytes: bytes, types: types, isMapped: isMapped,
      version: version, locations: locations, losses: losses, archiveEntries: archiveEntries,
      describingText: describingText, hasSeveralDocuments: hasSeveralDocuments)
  }
}

extension Loss.Kind {
  /// True if a value becomes a text, which may equal other texts.
  fileprivate var makesText: Bool {
    switch self {
    case .numberAsText, .booleanAsText, .dateAsText, .dataAsText, .notFinite: true
    default: false
    }
  }
}
