extension Bool {
  /// Creates the boolean that a text represents: `true`, `yes` and `1`, or `false`, `no` and `0`, in any case and with white space
  /// around it. Returns nil for any other text.
  init?(text: String) {
    switch text.trimmed.lowercased() {
    case "true", "yes", "1": self = true
    case "false", "no", "0": self = false
    default: return nil
    }
  }
}
