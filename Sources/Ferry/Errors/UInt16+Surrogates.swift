extension UInt16 {
  /// Creates the surrogate whose escape of JSON, in lowercase, is at the start of a text: `\ud800` to `\udfff`. Returns nil for other texts.
  init?(surrogateAtStartOf text: some Sequence<Unicode.Scalar>) {
    let escape = text.prefix(6).map(Character.init)
    guard escape.count == 6, escape.starts(with: #"\ud"#),
      escape.dropFirst(2).allSatisfy({ "0123456789abcdef".contains($0) }),
      let unit = UInt16(String(escape.dropFirst(2)), radix: 16), unit >= 0xd800
    else { return nil }
    self = unit
  }
}
