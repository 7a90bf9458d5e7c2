/// The text of a value for another place, in a format that says so itself.
struct CarriedText {
  /// The text, or nil if the value cannot have its text there.
  var text: [UInt8]?
}
