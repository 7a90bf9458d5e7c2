/// A reason why programs could not read an object of an archive.
public enum ObjectFlaw: Hashable, Sendable {
  /// A reason in words.
  case other(String)
  /// The description of a class has another name than the first of its `$classes`, which is given. `ArchiveRenaming` changes
  /// both.
  case otherClassName(String)
  /// The object refers to a number without an object. `count`, the number of all objects, is only for the message: it may change while
  /// the flaw stays, so equality ignores it.
  case missingObject(UInt64, count: Int)

  public static func == (a: ObjectFlaw, b: ObjectFlaw) -> Bool {
    switch (a, b) {
    case (.other(let first), .other(let second)): first == second
    case (.otherClassName(let first), .otherClassName(let second)): first.equals(second)
    case (.missingObject(let first, _), .missingObject(let second, _)): first == second
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .other(let words): hasher.combine(words)
    case .otherClassName(let name): name.hashBytes(into: &hasher)
    case .missingObject(let number, _): hasher.combine(number)
    }
  }
}

extension ObjectFlaw: CustomStringConvertible {
  /// The reason in one sentence, without a period.
  public var description: String {
    switch self {
    case .other(let words): words
    case .missingObject(let number, count: 0): "object \(number) does not exist (there are no objects)"
    case .missingObject(let number, let count):
      "object \(number) does not exist (the last of \(count) is object \(count - 1))"
    case .otherClassName(let name): "the class is named \(MessageText.quoted(name)) in its $classes"
    }
  }
}
