extension String {
  /// The string without white space at its ends, which is common in XML text.
  var trimmed: String {
    // Most texts begin and end with printable ASCII.
    if let first = utf8.first, let last = utf8.last, (0x21..<0x7f).contains(first),
      (0x21..<0x7f).contains(last)
    {
      return self
    }
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
