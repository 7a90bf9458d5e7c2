/// Inspects the files inside data values, when that is asked for, and files inside those in turn as far as the budget allows.
///
/// What is inside a file is no larger than the file, so looking into all of them costs no more at each level.
struct NestedInspection {
  private let budget: Budget

  /// Nil when files inside are not to be looked into, or are inside of too many others.
  init?(expands: Bool, budget: Budget) {
    guard expands, budget.nesting > 0 else { return nil }
    var inner = budget
    inner.nesting -= 1
    self.budget = inner
  }

  /// What is in a file inside another; nil for a kind that is not read.
  ///
  /// - Throws: what is wrong with it.
  func inspection(of bytes: Span<UInt8>, _ kind: BlobKind) throws(Failure) -> Inspection? {
    guard kind.isRead else { return nil }
    return try Inspection(reading: MemoryInput([UInt8](copying: bytes)), budget: budget, expands: true)
  }
}

extension BlobKind {
  /// Whether such a file can be inspected itself.
  fileprivate var isRead: Bool {
    switch self {
    case .archive, .xmlArchive, .binaryPropertyList, .xmlPropertyList, .json, .xml, .typedstream: true
    default: false
    }
  }
}
