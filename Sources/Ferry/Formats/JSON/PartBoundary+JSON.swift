extension PartBoundary {
  /// Finds the boundary between the objects of a list in its first bytes: the text from the end of the first object to the first
  /// key of the second one.
  ///
  ///     [{"first":"Ada"},{"first":"Grace"}]       },{"first"
  ///
  /// Fails if the value is not a list of objects, or if the bytes end before the second object.
  init?(betweenObjectsOf head: [UInt8]) {
    var scan = JSONListScan(head)
    guard let pattern = scan.boundary() else { return nil }
    let comma = pattern.firstIndex(of: UInt8(ascii: ",")) ?? 0
    self.init(
      Array(pattern), cut: comma - pattern.startIndex..<comma + 1 - pattern.startIndex,
      frame: Frame(before: [UInt8(ascii: "[")], after: [UInt8(ascii: "]")]))
  }
}

/// A scanner of the first bytes of a list of objects. It expects valid JSON.
private struct JSONListScan {
  private let bytes: [UInt8]
  private var index: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    index = bytes.utf8MarkCount
  }

  /// Returns the bytes from the end of the first object to the end of the second one's first key.
  mutating func boundary() -> ArraySlice<UInt8>? {
    guard take("["), take("{"), skipObject() else { return nil }
    let start = index - 1
    guard take(","), take("{"), take("\""), skipString() else { return nil }
    return bytes[start..<index]
  }

  /// Skips a character after white space. Returns false if it does not follow.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    while index < bytes.count, bytes[index].isSpace { index += 1 }
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// Skips the rest of an object. Returns false if it does not end in the bytes.
  private mutating func skipObject() -> Bool {
    var depth = 1
    while index < bytes.count {
      index += 1
      switch bytes[index - 1] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return true }
      case UInt8(ascii: "\""): if !skipString() { return false }
      default: break
      }
    }
    return false
  }

  /// Skips the rest of a string. Returns false if it does not end in the bytes.
  private mutating func skipString() -> Bool {
    while index < bytes.count {
      index += 1
      switch bytes[index - 1] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "\""): return true
      default: break
      }
    }
    return false
  }
}
