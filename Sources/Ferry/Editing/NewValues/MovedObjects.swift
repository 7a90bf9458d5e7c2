/// The objects of an archive to which references are possible in new values, with an identity for each.
struct MovedObjects {
  /// The paths of the objects before all changes, by identity.
  private(set) var paths: [Int: ValuePath] = [:]
  private(set) var identities: [ValuePath: Int] = [:]
  private var byJSON: [Value: ArraySlice<Int>] = [:]
  private var byPointer: [ExactString: Int] = [:]

  /// Adds the object at a path. `printedAs` is its JSON in the order of keys of `sameInJSON`.
  mutating func add(_ path: ValuePath, printedAs json: Value? = nil, pointer: ExactString? = nil) {
    // No object of the archive has such a number.
    let identity = identities[path] ?? .max - identities.count
    (identities[path], paths[identity]) = (identity, path)
    if let json { add(identity, printedAs: json) }
    if let pointer { byPointer[pointer] = identity }
  }

  /// Adds an object with an identity of its own.
  mutating func add(_ identity: Int, printedAs json: Value) { byJSON[json, default: []].append(identity) }

  /// Adds an object with an identity of its own, to which a new value refers.
  mutating func add(_ identity: Int, pointer: ExactString) { byPointer[pointer] = identity }

  /// Returns the identity of the object that JSON refers to. Otherwise takes an object that `get` prints as this JSON, so
  /// that no other JSON gets its identity.
  mutating func take(_ json: Value) -> Int? {
    if let pointer = json.pointer, let identity = byPointer[pointer] { return identity }
    return byJSON.isEmpty ? nil : byJSON[json.sameInJSON]?.popFirst()
  }
}
