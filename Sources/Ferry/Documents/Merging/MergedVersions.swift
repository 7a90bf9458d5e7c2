/// The versions of a document in a merge.
struct MergedVersions {
  /// The common ancestor; nil if the sides have none.
  var base: RecordDocument?
  var ours, theirs: RecordDocument

  /// The versions that exist, ours first.
  var all: [RecordDocument] { [ours, theirs] + (base.map { [$0] } ?? []) }

  subscript(side: MergeSide) -> RecordDocument? {
    switch side {
    case .base: base
    case .ours: ours
    case .theirs: theirs
    }
  }

  /// The texts of all versions in UTF-8; nil if the base is missing, or if the documents are not text or have different formats.
  var textsInOneFormat: Versions<[UInt8]>? {
    guard let base, ours.format.isText, all.allSatisfy({ $0.format == ours.format }) else { return nil }
    return Versions(base: base.text, ours: ours.text, theirs: theirs.text)
  }

  /// Puts a document in the place of a version.
  mutating func replace(_ side: MergeSide, by document: RecordDocument) {
    switch side {
    case .base: base = document
    case .ours: ours = document
    case .theirs: theirs = document
    }
  }
}
