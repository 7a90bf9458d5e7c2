/// A writer of the merged file that starts from the files of the versions. It keeps the changes that a side
/// made in bytes without changing values: comments, layout, the order of keys, and the object numbers of an
/// archive.
///
///     base {"a":1,"b":2}    ours {"a": 1, "b": 2}    theirs {"a":1,"b":3}    →    {"a": 1, "b": 3}
struct MergedFile {
  let files: RecordDocumentFiles
  let versions: MergedVersions
  /// The sides in the order in which their files are changed to make the result. The first one has the roots of the result.
  let carriers: [MergeSide]
  let merged: ThreeWayMerge.Result
  /// The columns of the merged table; empty if the versions are not tables.
  let columns: [String]
  /// The side whose value the result gets in a conflict.
  let winner: MergeSide
  /// The merge of the values, if their removal may be undone; nil if files belong to the values.
  let undoing: ThreeWayMerge?

  var base: RecordDocument? { versions.base }
  var ours: RecordDocument { versions.ours }
  var theirs: RecordDocument { versions.theirs }

  /// A file with its value, and the conflicts of the text alone.
  typealias Made = (bytes: [UInt8], value: Value, conflicts: [TextConflict])

  /// Makes the file.
  ///
  /// If one side has changed only values, its changes are made in the file of the other side, unless they
  /// remove a comment that this side has added, or put it at another entry. Otherwise the texts of both sides are merged.
  /// Changes that neither way can keep become conflicts or losses. In a conflict, XML elements of the favored side that the other
  /// removed have the text of the favored side, with their comments.
  ///
  /// - Throws: An error if the format cannot represent a value.
  func make(losses: LossReport) throws(FerryError) -> Made {
    if theirs.format != ours.format { losses.add(theirs.losses, beyond: [base?.losses ?? Losses()]) }
    if let bytes = unchanged { return (bytes, merged.value, []) }
    if let made = mergedElements(losses) { return made }
    let kept = keptMarkup
    let check = commentCheck
    for (side, other) in MergeSide.eachWithOther {
      guard hasChangedValuesAlone(other), let bytes = changed(side),
        kept.missing(in: markup(of: bytes)).isEmpty, faults(of: bytes, check).isEmpty
      else { continue }
      if !ours.format.isText { noteLosses(of: side, in: bytes, changing: side, losses) }
      return (bytes, result, [])
    }
    let report = LossReport()
    let text = mergedText(check, report)
    if text?.conflicts.isEmpty != true, let bytes = withoutRemovedComments(keeping: kept, check) {
      return (bytes, result, [])
    }
    losses.add(report.all)
    if let text { return text }
    if let text = textWithoutRemovals(losses) {
      noteMarkup(kept.missing(in: markup(of: text.bytes)), losses)
      return text
    }
    let version = changedVersion(keeping: kept, check)
    if version?.isComplete != true, let made = textOfOtherSide(check, losses) { return made }
    if let version { return made(from: version, keeping: kept, check, losses) }
    let bytes = try writtenAnew(losses)
    noteMarkup(kept.missing(in: markup(of: bytes)), losses)
    return (bytes, result, [])
  }

  /// The merged value as the merged file has it.
  var result: Value { ours.valueInFile(merged.value) }

  /// The file of a side, edited to have the merged value.
  private struct ChangedVersion {
    let side: MergeSide
    let bytes: [UInt8]
    /// True if the file has all comments of both sides, at their entries.
    let isComplete: Bool
  }

  /// Returns the file of the first carrier that can be edited to have the merged value, unless it lacks comments and that of the other carrier
  /// has all of them. Without changed roots, it is that of theirs if theirs is favored and ours lacks comments.
  private func changedVersion(keeping kept: KeptMarkup, _ check: CommentCheck?) -> ChangedVersion? {
    func version(_ side: MergeSide) -> (version: ChangedVersion, lacksMarkup: Bool)? {
      guard let bytes = changed(side) else { return nil }
      let lacksMarkup = !kept.missing(in: markup(of: bytes)).isEmpty
      let isComplete = !lacksMarkup && faults(of: bytes, check).isEmpty
      return (ChangedVersion(side: side, bytes: bytes, isComplete: isComplete), lacksMarkup)
    }
    var found: (version: ChangedVersion, lacksMarkup: Bool)?
    for side in carriers where found == nil { found = version(side) }
    guard let (first, lacksMarkup) = found else { return nil }
    // The first one has the roots of an archive.
    guard !first.isComplete, first.side == .ours || !ours.format.isArchive,
      let other = carriers.first(where: { $0 != first.side }).flatMap(version)?.version
    else { return first }
    let isFavored = first.side == .ours && winner == .theirs && lacksMarkup
    return isFavored || other.isComplete ? other : first
  }

  private func made(
    from version: ChangedVersion, keeping kept: KeptMarkup, _ check: CommentCheck?, _ losses: LossReport
  ) -> Made {
    let (side, bytes) = (version.side, version.bytes)
    let conflicts = conflicts(
      lacking: kept.missing(in: markup(of: bytes)), faults(of: bytes, check), losses)
    // A comment in conflict is neither layout nor another loss.
    let report =
      conflicts.isEmpty
      ? losses : LossReport(forwardingTo: losses) { ![.layout, .comment].contains($0.kind) }
    noteLosses(of: side == .ours ? .theirs : .ours, in: bytes, changing: side, report)
    if !ours.format.isText { noteLosses(of: side, in: bytes, changing: side, losses) }
    return (bytes, result, conflicts)
  }

  /// The bytes of the only side that differs from the base, or of both sides if they are equal; nil if both
  /// sides changed.
  private var unchanged: [UInt8]? {
    func hasMergedValue(_ side: MergeSide) -> Bool {
      merged.versions[side].map { SharedComparison.areSame(merged.value, $0) } ?? false
    }
    let others = [theirs.bytes, base?.bytes]
    if others.contains(ours.bytes), theirs.format == ours.format, hasMergedValue(.theirs) {
      return theirs.bytes
    }
    return theirs.bytes == base?.bytes && hasMergedValue(.ours) ? ours.bytes : nil
  }

  // MARK: Changing a version

  /// Returns a side's file, edited to have the merged value. Returns nil if the file cannot be edited, or has
  /// another format than ours.
  private func changed(_ side: MergeSide) -> [UInt8]? {
    guard let document = versions[side], document.format == ours.format, hasColumns(document),
      SharedComparison.areSame(document.valueInFile(merged.value), result),
      let values = merged.pair(of: side, and: merged.sharedValue)
    else { return nil }
    return files.editing(document, from: values.old, to: values.new)
  }

  /// Returns true if a side's file differs from the base only in values. A file of another format cannot
  /// contribute bytes, so it counts as such.
  private func hasChangedValuesAlone(_ side: MergeSide) -> Bool {
    guard let document = versions[side], document.format == ours.format else { return true }
    guard base?.format == document.format else { return false }
    return document.bytes == base?.bytes || document.bytes == baseWithValue(of: side)
  }

  /// Returns the file of the base, edited to have the value of a side. Returns nil if the file cannot be edited.
  private func baseWithValue(of side: MergeSide) -> [UInt8]? {
    guard let base, let version = merged.sharedVersions[side],
      let values = merged.pair(of: .base, and: version)
    else { return nil }
    return files.editing(base, from: values.old, to: values.new)
  }

  /// Returns the file of a side with the merged values, and without the comments that the other side has removed, if the other side has changed
  /// nothing else beside values. Returns nil if comments are not at their entries then.
  private func withoutRemovedComments(keeping kept: KeptMarkup, _ check: CommentCheck?) -> [UInt8]? {
    guard let check else { return nil }
    for (side, other) in MergeSide.eachWithOther {
      guard hasRemovedCommentsAlone(other), let bytes = changed(side) else { continue }
      let removed = faults(of: bytes, check).restored
      // A comment that this side has moved is in conflict with its removal.
      guard !removed.isEmpty, check.areAtEqualEntries(removed),
        let cleared = without(removed, bytes), let value = value(of: cleared),
        SharedComparison.areSame(value, result), kept.missing(in: markup(of: cleared)).isEmpty,
        faults(of: cleared, check).isEmpty
      else { continue }
      return cleared
    }
    return nil
  }

  /// Returns true if a side's file differs from the base only in values, and lacks comments of the base.
  private func hasRemovedCommentsAlone(_ side: MergeSide) -> Bool {
    guard let document = versions[side], base?.format == document.format,
      let edited = baseWithValue(of: side)
    else { return false }
    var counts = KeptMarkup.counts(of: markup(of: document.bytes))
    let removed = markup(of: edited).filter { comment in
      counts[comment, default: 0] -= 1
      return counts[comment, default: 0] < 0
    }
    return !removed.isEmpty && without(removed, edited) == document.bytes
  }

  // MARK: Losses

  private func writtenAnew(_ losses: LossReport) throws(FerryError) -> [UInt8] {
    losses.add(ours.losses, beyond: [])
    if theirs.format == ours.format { losses.add(theirs.losses, beyond: [ours.losses]) }
    if !hasColumns(ours) { losses.add(.columnNames) }
    if ours.format.isText, !isCanonical(.ours) || !isCanonical(.theirs) { losses.add(.layout) }
    if ours.format.isArchive, !isWrittenByFerry(.ours) || !isWrittenByFerry(.theirs) {
      losses.add(.archiveLayout)
    }
    let value = ours.hasSeveralDocuments ? merged.value : result
    return try files.bytes(of: value, laidOutLike: ours, schema: ours.schema, losses: losses)
  }

  /// Returns true if a side's file equals the file that Ferry would write for its value, so that rewriting it
  /// loses nothing.
  private func isCanonical(_ side: MergeSide) -> Bool {
    guard let document = versions[side], document.format == ours.format else { return true }
    if document.format.isArchive, document.format.isText {
      return isCanonical(document.bytes, as: document.format.asPropertyList)
    }
    return isWrittenByFerry(side)
  }

  /// Returns true if a side's file equals the file that Ferry would write for its value.
  private func isWrittenByFerry(_ side: MergeSide) -> Bool {
    guard let document = versions[side], document.format == ours.format, let value = merged.versions[side]
    else { return true }
    let bytes = try? files.bytes(
      of: value, laidOutLike: document, schema: document.schema ?? ours.schema, losses: LossReport())
    return bytes == document.bytes
  }

  /// Returns true if a property list equals the one that Ferry would write for its raw value in the format. The object
  /// numbers of an archive are not layout.
  private func isCanonical(_ bytes: [UInt8], as format: Format) -> Bool {
    var conversion = Conversion(to: format)
    conversion.writing.representation = .raw
    conversion.reading.budget = files.budget
    return (try? conversion.convert(bytes).bytes) == bytes
  }

  /// Reports what the result lacks of a side's file: comments and other contents outside of values, and
  /// layout.
  ///
  /// - Parameter carrier: The side whose file was changed to make the result, which has all of that file.
  private func noteLosses(
    of side: MergeSide, in bytes: [UInt8], changing carrier: MergeSide, _ losses: LossReport
  ) {
    guard let document = versions[side], document.format == ours.format, document.bytes != bytes else {
      return
    }
    if side != carrier, let other = versions[carrier] {
      losses.add(document.losses, beyond: [other.losses, base?.losses ?? Losses()])
    }
    let format = document.format
    let hasLayout = format.isText || format.isBinaryPropertyList && !format.isArchive
    guard hasLayout, !isCanonical(side) || !isCanonical(.base), !isMade(side, of: bytes)
    else { return }
    losses.add(.layout)
  }

  /// Returns true if a side's file is the result with some values changed, so that the result lacks nothing
  /// else of it.
  private func isMade(_ side: MergeSide, of bytes: [UInt8]) -> Bool {
    guard let value = value(of: bytes), let new = merged.sharedVersions[side]?.inlined else { return false }
    let result = RecordDocument(
      format: ours.format, schema: ours.schema, value: value, bytes: bytes, types: ours.types,
      isMapped: ours.isMapped, version: ours.version, locations: [], losses: Losses())
    let old = SharedObjects(value)
    let edited = files.editing(result, from: old, to: new.numbered(like: old))
    return edited.map { $0 == versions[side]?.bytes } ?? false
  }
}

extension LossReport {
  /// Adds each kind of loss that occurs more often than in every one of `others`. The entries of archives beside their objects are merged
  /// after the values.
  fileprivate func add(_ losses: Losses, beyond others: [Losses]) {
    for count in losses.counts where count.kind != .archiveEntry {
      let known = others.map { other in other.counts.first { $0.kind == count.kind }?.count ?? 0 }.max() ?? 0
      let ofKind = losses.listed.filter { $0.kind == count.kind }
      for index in 0..<max(count.count - known, 0) {
        add(
          count.kind, path: ofKind.indices.contains(known + index) ? ofKind[known + index].path : ValuePath())
      }
    }
  }
}
