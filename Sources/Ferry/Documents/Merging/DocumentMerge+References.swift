// Merging of texts with aliases or references to entities.

extension DocumentMerge {
  /// Returns the merge of texts in which each reference is a value of its own. Returns nil if the versions have no references, or
  /// if the merged text cannot have them.
  func mergedByReferences(_ versions: MergedVersions, _ losses: LossReport) -> Result? {
    let ours = versions.ours
    guard !ours.format.isArchive, let texts = versions.textsInOneFormat,
      versions.all.allSatisfy({ $0.encoding == ours.encoding && $0.describingText == nil }),
      let words = ReferenceWords(in: texts, ours.format, budget: budget)
    else { return nil }
    var reading = files(for: ours)
    reading.source = ours.format
    let read = words.texts.mapAll {
      try? reading.read(ours.encoding.encoded($0), named: nil, as: ours.shape, fallback: ours.schema)
    }
    guard let read else { return nil }
    let values = valueMerge(of: versions)
    let versions = MergedVersions(base: read.base, ours: read.ours, theirs: read.theirs).listingDocuments
    guard let merged = try? values.merge(versions) else { return nil }
    let file = mergedFile(of: merged, versions, undoing: values)
    let report = LossReport()
    guard let made = try? made(by: file, report).file,
      let (text, again) = words.restoring(ours.format.text(of: made.bytes)),
      let value = file.value(of: ours.encoding.encoded(again)), SharedComparison.areSame(value, made.value)
    else { return nil }
    let bytes = ours.encoding.encoded(text)
    guard let value = file.value(of: bytes) else { return nil }
    losses.add(report.all)
    return Result(
      bytes: bytes, value: value, conflicts: merged.conflicts.map(words.restored),
      textConflicts: made.conflicts.map(words.restored))
  }
}

extension MergedFile {
  /// Returns a conflict for each reference that a side has added and that the result lacks, if the other side has changed
  /// or removed the value to which it leads.
  func conflictsOfReferences(in bytes: [UInt8]) -> [TextConflict] {
    guard let texts = versions.textsInOneFormat else { return [] }
    return ReferenceVersions(texts, ours.format, budget: files.budget)
      .conflicts(in: ours.format.text(of: bytes))
  }
}

/// The references in the versions of a text.
struct ReferenceVersions {
  private let format: Format
  private let budget: Budget
  private let versions: Versions<Version>

  private struct Version {
    let text: [UInt8]
    let targets: [ArraySlice<UInt8>: [TextReferences.Target]]
    /// The offsets of each reference.
    let offsets: [ArraySlice<UInt8>: [Int]]

    init(_ text: [UInt8], _ format: Format, _ budget: Budget) {
      let found = TextReferences(in: text, format, budget: budget)
      (self.text, targets) = (text, found.targets)
      offsets = found.ranges.reduce(into: [:]) { $0[text[$1], default: []].append($1.lowerBound) }
    }

    func count(of reference: ArraySlice<UInt8>) -> Int { offsets[reference]?.count ?? 0 }
  }

  /// Finds the references in three versions of a text in UTF-8.
  init(_ texts: Versions<[UInt8]>, _ format: Format, budget: Budget) {
    (self.format, self.budget) = (format, budget)
    versions = texts.map { Version($0, format, budget) }
  }

  /// Returns a conflict for each reference that a side has added and that a merged text lacks, if the other side has changed
  /// or removed the value to which it leads.
  func conflicts(in merged: [UInt8]) -> [TextConflict] {
    let (base, ours, theirs) = (versions.base, versions.ours, versions.theirs)
    guard !ours.offsets.isEmpty || !theirs.offsets.isEmpty else { return [] }
    let result = Version(merged, format, budget)
    let lines = LineStarts(of: ours.text)
    var found: [TextConflict] = []
    for (version, other, isOurs) in [(ours, theirs, true), (theirs, ours, false)] {
      for (reference, offsets) in version.offsets
      where offsets.count > max(base.count(of: reference), result.count(of: reference)) {
        guard let name = TextReferences.name(in: reference), let old = base.targets[name],
          !Self.areAlike(old, other.targets[name] ?? [])
        else { continue }
        let text = String(decoding: reference, as: UTF8.self)
        let offset = isOurs ? offsets.last : ours.targets[name]?.first?.text.startIndex
        found.append(
          TextConflict(
            line: lines.line(at: offset ?? 0), base: "", ours: isOurs ? text : "", theirs: isOurs ? "" : text,
            isOfContent: true))
      }
    }
    return found.sorted { ($0.line, $0.ours, $0.theirs) < ($1.line, $1.ours, $1.theirs) }
  }

  private static func areAlike(_ old: [TextReferences.Target], _ new: [TextReferences.Target]) -> Bool {
    old.count == new.count && zip(old, new).allSatisfy { $0.isLike($1) }
  }
}
