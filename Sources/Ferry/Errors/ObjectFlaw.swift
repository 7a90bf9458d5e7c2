/// A reason why programs could not read an object of an archive.
public enum ObjectFlaw: Hashable, Sendable {
  /// A reason in words.
  case other(String)
  /// The description of a class has another name than the first of its `$classes`, which is given. `ArchiveRenaming` changes
  /// both.
  case otherClassName(String)
  /// There is no object with a number to which the object refers. The number of all objects is only for the message: it may change
  /// without a change of the flaw.
  case noObject(UInt64, count: Int)

  public static func == (a: ObjectFlaw, b: ObjectFlaw) -> Bool {
    switch (a, b) {
    case (.other(let mine), .other(let others)): mine == others
    case (.otherClassName(let mine), .otherClassName(let others)): mine.equals(others)
    case (.noObject(let mine, _), .noObject(let others, _)): mine == others
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .other(let words): hasher.combine(words)
    case .otherClassName(let name): name.hashBytes(into: &hasher)
    case .noObject(let number, _): hasher.combine(number)
    }
  }
}

extension ObjectFlaw: CustomStringConvertible {
  /// The reason in one sentence, without a period.
  public var description: String {
    switch self {
    case .other(let words): words
    case .noObject(let number, count: 0): "object \(number) does not exist (there are no objects)"
    case .noObject(let number, let count):
      "object \(number) does not exist (the last of \(count) is object \(count - 1))"
    case .otherClassName(let name): "the class is named \(quotedForMessage(name)) in its $classes"
    }
  }
}
