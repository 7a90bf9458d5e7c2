/// One thing of each version that takes part in a merge: its value at a path, its list, its text.
struct Versions<Element> {
  var base, ours, theirs: Element

  subscript(side: MergeSide) -> Element {
    get {
      switch side {
      case .base: base
      case .ours: ours
      case .theirs: theirs
      }
    }
    set {
      switch side {
      case .base: base = newValue
      case .ours: ours = newValue
      case .theirs: theirs = newValue
      }
    }
  }

  /// The elements of all versions: base, ours, theirs.
  var all: [Element] { [base, ours, theirs] }

  /// Returns what a function makes of the elements.
  func map<Result>(_ transform: (Element) -> Result) -> Versions<Result> {
    Versions<Result>(base: transform(base), ours: transform(ours), theirs: transform(theirs))
  }
}

extension Versions: Equatable where Element: Equatable {}
extension Versions: Hashable where Element: Hashable {}
extension Versions: Sendable where Element: Sendable {}
