extension Int {
  /// Returns the number with a noun, in the plural unless the number is 1.
  ///
  ///     1.counted("byte")     // 1 byte
  ///     2.counted("byte")     // 2 bytes
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
