/// Copies of values whose objects have no identity.
///
///     Person { pal: → #4 }     →     Person { pal: Person { … } }
struct ObjectCopies {
  private let objects: [Int: ObjectValue]
  /// The maximum number of values in the copies. A cycle of references exceeds this number, or the depth.
  private var left = 1 << 16
  private static let depth = 256

  /// Creates copies of values that refer to objects.
  init(of objects: [Int: ObjectValue]) { self.objects = objects }

  /// Returns a copy of a value, or nil if it is too large or refers to an object that is not known.
  mutating func copy(of value: Value) -> Value? { copy(of: value, depth: 0) }

  private mutating func copy(of value: Value, depth: Int) -> Value? {
    left -= 1
    guard left > 0, depth < Self.depth else { return nil }
    var whole = value
    if case .reference(let identity) = value {
      guard let object = objects[identity] else { return nil }
      whole = .object(object)
    }
    var isWhole = true
    whole = whole.mappingParts { part in
      let copy = copy(of: part, depth: depth + 1)
      if copy == nil { isWhole = false }
      return copy ?? part
    }
    guard isWhole, case .object(var object) = whole else { return isWhole ? whole : nil }
    object.identity = nil
    return .object(object)
  }
}
