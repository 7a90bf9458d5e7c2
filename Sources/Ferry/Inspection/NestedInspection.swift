/// An inspector of files inside data values, and of files inside those, up to the budget's nesting depth.
///
/// A nested file is at most as large as the file around it, so each level costs no more than the outer file.
struct NestedInspection {
  private let budget: Budget

  /// Creates an inspector. Fails if nested files are not to be inspected, or if the budget allows no further
  /// nesting.
  init?(expands: Bool, budget: Budget) {
    guard expands, budget.nesting > 0 else { return nil }
    var inner = budget
    inner.nesting -= 1
    self.budget = inner
  }

  /// Returns the inspection of a nested file, or nil if Ferry cannot read its kind.
  ///
  /// - Throws: A `FerryError` if the nested file is not valid.
  func inspection(of bytes: Span<UInt8>, _ kind: FileKind) throws(FerryError) -> Inspection? {
    guard kind.isRead else { return nil }
    return try Inspection(reading: MemoryInput([UInt8](copying: bytes)), budget: budget, expands: true)
  }
}

extension FileKind {
  /// True if Ferry can read files of this kind.
  fileprivate var isRead: Bool {
    switch self {
    case .archive, .xmlArchive, .binaryPropertyList, .xmlPropertyList, .json, .xml, .typedstream, .nibArchive:
      true
    default: false
    }
  }
}
