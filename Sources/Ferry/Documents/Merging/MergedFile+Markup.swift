// The comments and processing instructions of the merged file.

extension MergedFile {
  /// The comments and processing instructions that the merged text must have.
  var keptMarkup: KeptMarkup {
    let old = markup(of: base) ?? []
    return KeptMarkup(
      Versions(base: old, ours: markup(of: ours) ?? old, theirs: markup(of: theirs) ?? old))
  }

  /// Returns the comments and processing instructions of a version; nil if it has another format than the
  /// result.
  private func markup(of version: RecordDocument?) -> [TextPieces.Piece]? {
    guard let version, version.format == ours.format else { return nil }
    return markup(of: version.bytes)
  }

  /// Returns the comments and processing instructions of a text in the format of the result.
  func markup(of bytes: [UInt8]) -> [TextPieces.Piece] {
    guard ours.format.isText else { return [] }
    return CommentedText(ours.format.text(of: bytes), ours.format, budget: files.budget).markup
  }

  /// Reports the comments and processing instructions that the result lacks, beyond those already reported.
  func noteMarkup(_ missing: [TextPieces.Piece], _ losses: LossReport) {
    let instructions = missing.count { $0.starts(with: "<?".utf8) }
    let references = missing.count { $0.first == UInt8(ascii: "&") }
    let counts = [
      (Loss.Kind.comment, missing.count - instructions - references), (.undeclaredEntity, references),
      (.processingInstruction, instructions),
    ]
    for (kind, count) in counts {
      let reported = losses.counts.first { $0.kind == kind }?.count ?? 0
      for _ in 0..<max(count - reported, 0) { losses.add(kind) }
    }
  }

  /// Returns the conflicts for comments and processing instructions that a changed file of one side lacks, or has at other entries. References
  /// to entities are reported as losses.
  func conflicts(
    lacking missing: [TextPieces.Piece], _ faults: CommentCheck.Faults, _ losses: LossReport
  ) -> [TextConflict] {
    let references = missing.filter { $0.first == UInt8(ascii: "&") }
    noteMarkup(references, losses)
    guard missing.count > references.count || !faults.isEmpty else { return [] }
    let pieces = missing.filter { $0.first != UInt8(ascii: "&") }
    let known = Set(pieces + faults.restored)
    let (mine, others) = (commented(ours), commented(theirs))
    let lines = MarkupLines(mine, others)
    let found = Versions(
      base: Set(markup(of: base) ?? []), ours: Set(mine.markup), theirs: Set(others.markup))
    let misplaced = faults.misplaced.filter { !known.contains($0) }
    return (pieces + misplaced + faults.restored).map { piece in
      let texts = found.map { $0.contains(piece) ? String(decoding: piece, as: UTF8.self) : "" }
      return TextConflict(
        line: lines.line(of: piece), base: texts.base, ours: texts.ours, theirs: texts.theirs,
        isOfContent: true)
    }
    .sorted { $0.line < $1.line }
  }

  private func commented(_ version: RecordDocument) -> CommentedText {
    CommentedText(version.text, version.format, budget: files.budget)
  }

  /// Returns a file in our format without some of its comments. Returns nil if one of them is not on lines of its own, or if the file has it more
  /// often.
  func without(_ comments: [TextPieces.Piece], _ bytes: [UInt8]) -> [UInt8]? {
    let text = CommentedText(ours.format.text(of: bytes), ours.format, budget: files.budget)
    var counts = KeptMarkup.counts(of: comments)
    var edits: [ByteEdit] = []
    for comment in text.comments {
      guard let count = counts[text.bytes[comment]] else { continue }
      guard count > 0, let lines = text.lines(of: comment) else { return nil }
      counts[text.bytes[comment]] = count - 1
      edits.append(ByteEdit(range: lines, text: []))
    }
    guard counts.values.allSatisfy({ $0 == 0 }) else { return nil }
    return ours.format.encoding(of: bytes).encoded(edits.applied(to: text.bytes))
  }

  /// The check of the comments of merged texts; nil if the versions have none, or other formats.
  var commentCheck: CommentCheck? {
    guard let texts = versions.textsInOneFormat else { return nil }
    let commented = texts.map { CommentedText($0.withLineFeeds, ours.format, budget: files.budget) }
    return CommentCheck(commented, budget: files.budget)
  }

  /// Returns the comments of a merged file that belong to other entries. A file that is not valid has none.
  func faults(of bytes: [UInt8], _ check: CommentCheck?) -> CommentCheck.Faults {
    guard let check else { return CommentCheck.Faults() }
    return check.faults(
      in: CommentedText(
        ours.format.text(of: bytes).withLineFeeds, ours.format, budget: files.budget))
  }
}
