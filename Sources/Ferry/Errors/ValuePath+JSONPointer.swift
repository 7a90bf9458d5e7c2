extension ValuePath {
  /// The path as a JSON pointer (RFC 6901): `/people/0/name`. In a key, `~` is `~0` and `/` is `~1`.
  ///
  /// - Parameter isTyped: True for a key in the typed form.
  func jsonPointer(isTyped: Bool) -> String {
    steps.map { step in
      switch step {
      case .key(let key):
        (isTyped && key.begins(with: "$") ? "/$" : "/")
          + key.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
      case .index(let index): "/\(index)"
      case .slice, .filter, .end: "/-"
      }
    }.joined()
  }
}
