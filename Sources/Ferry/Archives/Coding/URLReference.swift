/// The components of a URL, or of a relative reference to one (RFC 3986).
struct URLReference {
  private var scheme: Substring?
  private var authority: Substring?
  private var path: String
  private var query: Substring?
  private let fragment: Substring?

  /// Splits a text into its components, as in appendix B of RFC 3986. Each text has such components.
  init(_ text: String) {
    var rest = Substring(text)
    fragment = Self.cut(&rest, after: "#")
    query = Self.cut(&rest, after: "?")
    if let colon = rest.unicodeScalars.firstIndex(where: { $0 == ":" || $0 == "/" }),
      rest.unicodeScalars[colon] == ":",
      colon > rest.startIndex
    {
      scheme = rest[..<colon]
      rest = rest[rest.unicodeScalars.index(after: colon)...]
    }
    if rest.utf8.starts(with: "//".utf8) {
      rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
      let end = rest.unicodeScalars.firstIndex(of: "/") ?? rest.endIndex
      authority = rest[..<end]
      rest = rest[end...]
    }
    path = String(rest)
  }

  /// Removes and returns the text after the first occurrence of a character, which is removed, too.
  private static func cut(_ text: inout Substring, after mark: Unicode.Scalar) -> Substring? {
    guard let index = text.unicodeScalars.firstIndex(of: mark) else { return nil }
    let rest = text[text.unicodeScalars.index(after: index)...]
    text = text[..<index]
    return rest
  }

  /// The text with the components.
  var text: String {
    var text = scheme.map { "\($0):" } ?? ""
    if let authority { text += "//\(authority)" }
    text += path
    if let query { text += "?\(query)" }
    if let fragment { text += "#\(fragment)" }
    return text
  }

  /// Returns the URL that the reference means relative to a base, as in section 5.2.2 of RFC 3986.
  func resolved(against base: URLReference) -> URLReference {
    var found = self
    if scheme == nil {
      found.scheme = base.scheme
      if authority == nil {
        found.authority = base.authority
        if path.isEmpty {
          found.path = base.path
          if query == nil { found.query = base.query }
          return found
        }
        if path.utf8.first != UInt8(ascii: "/") { found.path = base.merged(path) }
      }
    }
    found.path = Self.withoutDots(found.path)
    return found
  }

  /// Returns a relative path after the folder of the path.
  private func merged(_ relative: String) -> String {
    if authority != nil, path.isEmpty { return "/" + relative }
    guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return relative }
    return String(path.unicodeScalars[...slash]) + relative
  }

  /// Returns a path without the segments `.` and `..`, as in section 5.2.4 of RFC 3986.
  private static func withoutDots(_ path: String) -> String {
    let segments = path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map(
      String.init)
    let isAbsolute = segments.count > 1 && segments[0].isEmpty
    var kept: [String] = []
    for (index, segment) in segments.enumerated().dropFirst(isAbsolute ? 1 : 0) {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return (isAbsolute ? "/" : "") + kept.joined(separator: "/")
  }
}
