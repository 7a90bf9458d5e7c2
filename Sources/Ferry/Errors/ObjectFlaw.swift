/// A reason why programs could not read an object of an archive.
public enum ObjectFlaw: Hashable, Sendable {
  /// A reason in words.
  case other(String)
  /// The description of a class has another name than the first of its `$classes`, which is given. `ArchiveRenaming` changes
  /// both.
  case otherClassName(String)
}

extension ObjectFlaw: CustomStringConvertible {
  /// The reason in one sentence, without a period.
  public var description: String {
    switch self {
    case .other(let words): words
    case .otherClassName(let name): "the class is named \(quotedForMessage(name)) in its $classes"
    }
  }
}
