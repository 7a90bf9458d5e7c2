/// One thing of each version that takes part in a merge: its value at a path, its list, its text.
struct Versions<Element> {
  var base, ours, theirs: Element

  init(base: Element, ours: Element, theirs: Element) {
    (self.base, self.ours, self.theirs) = (base, ours, theirs)
  }

  /// Creates the elements that a function returns for the versions.
  init(_ element: (MergeSide) -> Element) {
    self.init(base: element(.base), ours: element(.ours), theirs: element(.theirs))
  }

  subscript(side: MergeSide) -> Element {
    get {
      switch side {
      case .base: base
      case .ours: ours
      case .theirs: theirs
      }
    }
    _modify {
      switch side {
      case .base: yield &base
      case .ours: yield &ours
      case .theirs: yield &theirs
      }
    }
  }

  /// The elements of all versions: base, ours, theirs.
  var all: [Element] { [base, ours, theirs] }

  /// Returns what a function makes of the elements.
  func map<Result>(_ transform: (Element) -> Result) -> Versions<Result> {
    Versions<Result> { transform(self[$0]) }
  }

  /// Returns what a function makes of the elements; nil if it makes nothing of one of them.
  func mapAll<Result>(_ transform: (Element) -> Result?) -> Versions<Result>? {
    guard let base = transform(base), let ours = transform(ours), let theirs = transform(theirs) else {
      return nil
    }
    return Versions<Result>(base: base, ours: ours, theirs: theirs)
  }
}

extension Versions: Equatable where Element: Equatable {}
extension Versions: Hashable where Element: Hashable {}
extension Versions: Sendable where Element: Sendable {}
