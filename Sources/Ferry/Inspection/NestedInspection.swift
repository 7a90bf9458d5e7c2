/// An inspector of files inside data values, and of files inside those, as deep as the budget allows.
///
/// A nested file is at most as large as the file around it, so inspecting all nested files costs no more at
/// each level.
struct NestedInspection {
  private let budget: Budget

  /// Creates an inspector; nil if nested files are not to be inspected, or are nested too deeply.
  init?(expands: Bool, budget: Budget) {
    guard expands, budget.nesting > 0 else { return nil }
    var inner = budget
    inner.nesting -= 1
    self.budget = inner
  }

  /// Returns the inspection of a nested file; nil if Ferry does not read its kind.
  ///
  /// - Throws: A `FerryError` if the nested file is not valid.
  func inspection(of bytes: Span<UInt8>, _ kind: BlobKind) throws(FerryError) -> Inspection? {
    guard kind.isRead else { return nil }
    return try Inspection(reading: MemoryInput([UInt8](copying: bytes)), budget: budget, expands: true)
  }
}

extension BlobKind {
  /// True if files of this kind can be inspected.
  fileprivate var isRead: Bool {
    switch self {
    case .archive, .xmlArchive, .binaryPropertyList, .xmlPropertyList, .json, .xml, .typedstream: true
    default: false
    }
  }
}
