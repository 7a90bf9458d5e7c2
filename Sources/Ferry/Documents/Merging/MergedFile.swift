/// A writer of the merged file that starts from the files of the versions. It keeps the changes that a side
/// made in bytes without changing values: comments, layout, the order of keys, and the object numbers of an
/// archive.
///
///     base {"a":1,"b":2}    ours {"a": 1, "b": 2}    theirs {"a":1,"b":3}    →    {"a": 1, "b": 3}
struct MergedFile {
  let files: RecordDocumentFiles
  let base: RecordDocument?
  let ours, theirs: RecordDocument
  let merged: Merge.Result
  /// The side whose value the result gets in a conflict.
  let winner: MergeSide

  /// Makes the file.
  ///
  /// If one side changed only values, its changes are made in the other side's file. If both sides changed
  /// more than values, their texts are merged. A change that neither method can keep becomes a conflict or a
  /// loss.
  ///
  /// - Throws: An error if the format cannot represent a value.
  func make(losses: LossReport) throws(FerryError) -> (bytes: [UInt8], conflicts: [TextConflict]) {
    if let bytes = unchanged { return (bytes, []) }
    for (side, other) in [(MergeSide.ours, MergeSide.theirs), (.theirs, .ours)] {
      guard hasChangedValuesAlone(other), let bytes = changed(side) else { continue }
      if !ours.format.isText { noteLosses(of: side, in: bytes, losses) }
      return (bytes, [])
    }
    if let text = mergedText(losses) { return text }
    for side in [MergeSide.ours, .theirs] {
      guard let bytes = changed(side) else { continue }
      noteLosses(of: side == .ours ? .theirs : .ours, in: bytes, losses)
      if !ours.format.isText { noteLosses(of: side, in: bytes, losses) }
      return (bytes, [])
    }
    return (try writtenAnew(losses), [])
  }

  private func document(_ side: MergeSide) -> RecordDocument? {
    switch side {
    case .base: base
    case .ours: ours
    case .theirs: theirs
    }
  }

  private func value(_ side: MergeSide) -> Value? {
    switch side {
    case .base: merged.base
    case .ours: merged.ours
    case .theirs: merged.theirs
    }
  }

  /// The bytes of the only side that differs from the base, or of both sides if they are equal; nil if both
  /// sides changed.
  private var unchanged: [UInt8]? {
    let others = [theirs.bytes, base?.bytes]
    if others.contains(ours.bytes), theirs.format == ours.format,
      SharedComparison.areSame(merged.value, merged.theirs)
    {
      return theirs.bytes
    }
    guard theirs.bytes == base?.bytes, SharedComparison.areSame(merged.value, merged.ours) else { return nil }
    return ours.bytes
  }

  // MARK: Changing a version

  /// Returns a side's file, edited to have the merged value. Returns nil if the file cannot be edited, or has
  /// another format than ours.
  private func changed(_ side: MergeSide) -> [UInt8]? {
    guard let document = document(side), document.format == ours.format, let value = value(side) else {
      return nil
    }
    return files.editing(document, from: value, to: merged.value)
  }

  /// Returns true if a side's file differs from the base only in values. A file of another format cannot
  /// contribute bytes, so it counts as such.
  private func hasChangedValuesAlone(_ side: MergeSide) -> Bool {
    guard let document = document(side), document.format == ours.format else { return true }
    guard let base, base.format == document.format, let old = merged.base, let new = value(side) else {
      return false
    }
    return document.bytes == base.bytes
      || files.editing(base, from: old, to: new).map { $0 == document.bytes } ?? false
  }

  // MARK: Merging texts

  /// Returns the merged text of the versions, or nil if its value is not the merged value.
  private func mergedText(_ losses: LossReport) -> (bytes: [UInt8], conflicts: [TextConflict])? {
    guard let base, ours.format.isText, base.format == ours.format, theirs.format == ours.format else {
      return nil
    }
    for unit in TextMerge.Unit.allCases {
      let text = TextMerge(
        base: base.bytes, ours: ours.bytes, theirs: theirs.bytes, by: unit,
        isXML: ours.format.isXML,
        favoring: winner)
      guard let text, hasMergedValue(text.bytes) else { continue }
      // Conflicts between values already determine the text around them.
      guard merged.conflicts.isEmpty else { return (text.bytes, []) }
      let conflicts = text.conflicts.filter(\.isOfContent)
      if conflicts.count < text.conflicts.count { losses.add(.layout) }
      return (text.bytes, conflicts)
    }
    return nil
  }

  private func hasMergedValue(_ bytes: [UInt8]) -> Bool {
    var reading = files
    reading.source = ours.format
    guard let read = try? reading.read(bytes, named: nil, as: ours.format, fallback: ours.schema) else {
      return false
    }
    return SharedComparison.areSame(read.value, merged.value) && !addsRepeatedKeys(bytes)
  }

  /// Returns true if a text repeats more keys than any version does. Merging two orders of keys token by
  /// token can repeat a key.
  private func addsRepeatedKeys(_ bytes: [UInt8]) -> Bool {
    func count(_ bytes: [UInt8]) -> Int {
      RepeatedKeys.count(in: bytes, format: ours.format, budget: files.budget)
    }
    let repeated = count(bytes)
    return repeated > 0 && repeated > max(count(ours.bytes), count(theirs.bytes))
  }

  // MARK: Losses

  private func writtenAnew(_ losses: LossReport) throws(FerryError) -> [UInt8] {
    losses.add(ours.losses)
    if theirs.format == ours.format { losses.add(theirs.losses, beyond: [ours.losses]) }
    if ours.format.isText, !isCanonical(.ours) || !isCanonical(.theirs) { losses.add(.layout) }
    return try files.bytes(
      of: merged.value, in: ours.format, schema: ours.schema, isPretty: ours.isPretty, losses: losses)
  }

  /// Returns true if a side's file equals the file that Ferry would write for its value, so that rewriting it
  /// loses nothing.
  private func isCanonical(_ side: MergeSide) -> Bool {
    guard let document = document(side), document.format == ours.format, let value = value(side) else {
      return true
    }
    guard document.format != .xmlArchive else { return isCanonicalPropertyList(document.bytes) }
    let bytes = try? files.bytes(
      of: value, in: document.format, schema: document.schema ?? ours.schema, isPretty: document.isPretty,
      losses: LossReport())
    return bytes == document.bytes
  }

  /// Returns true if an XML property list equals the one that Ferry would write for its raw value. The object
  /// numbers of an archive are not layout.
  private func isCanonicalPropertyList(_ bytes: [UInt8]) -> Bool {
    var conversion = Conversion(to: .xmlPropertyList)
    conversion.representation = .raw
    conversion.budget = files.budget
    return (try? conversion.convert(bytes).bytes) == bytes
  }

  /// Reports what the result lacks of a side's file: comments and other contents outside of values, and
  /// layout.
  private func noteLosses(of side: MergeSide, in bytes: [UInt8], _ losses: LossReport) {
    guard let document = document(side), document.format == ours.format, let value = value(side),
      document.bytes != bytes
    else { return }
    let carrier = side == .ours ? theirs : ours
    losses.add(document.losses, beyond: [carrier.losses, base?.losses ?? Losses()])
    let hasLayout = document.format.isText || document.format == .binaryPropertyList
    guard hasLayout, !isCanonical(side) || !isCanonical(.base), !isMade(side, of: bytes, value)
    else {
      return
    }
    losses.add(.layout)
  }

  /// Returns true if a side's file is the result with some values changed, so that the result lacks nothing
  /// else of it.
  private func isMade(_ side: MergeSide, of bytes: [UInt8], _ value: Value) -> Bool {
    let result = RecordDocument(
      format: ours.format, schema: ours.schema, value: merged.value, bytes: bytes, isMapped: ours.isMapped,
      places: [], losses: Losses())
    return files.editing(result, from: merged.value, to: value).map { $0 == document(side)?.bytes } ?? false
  }
}

extension LossReport {
  /// Adds each kind of loss that occurs more often here than in every one of `others`.
  fileprivate func add(_ losses: Losses, beyond others: [Losses]) {
    for count in losses.counts {
      let known = others.map { other in other.counts.first { $0.kind == count.kind }?.count ?? 0 }.max() ?? 0
      let places = losses.places.filter { $0.kind == count.kind }
      for index in 0..<max(count.count - known, 0) {
        add(
          count.kind, path: places.indices.contains(known + index) ? places[known + index].path : ValuePath())
      }
    }
  }
}
