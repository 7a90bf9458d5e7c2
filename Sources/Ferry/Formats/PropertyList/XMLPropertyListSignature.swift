extension FormatSignature {
  static let xmlPropertyList: Self = FormatSignature(.dialect) { $0.isXMLPropertyList }

  /// The first key is that of an archive.
  static let xmlArchive: Self = FormatSignature(.entries) { head in
    guard head.isXMLPropertyList, let firstKey = head.find("<key>", from: head.start) else { return false }
    let keys = ["$archiver", "$objects", "$top", "$version"]
    return keys.contains { head.bytes[firstKey...].starts(with: "<key>\($0)</key>".utf8) }
  }
}

extension FormatHead {
  /// True if the first element, after declarations and comments, is `plist`.
  fileprivate var isXMLPropertyList: Bool {
    guard first == UInt8(ascii: "<") else { return false }
    var index = start
    while index < bytes.count {
      if bytes[index...].starts(with: "<!--".utf8) {
        guard let end = find("-->", from: index) else { return false }
        index = end + 3
      } else if bytes[index...].starts(with: "<?".utf8) {
        guard let end = find("?>", from: index) else { return false }
        index = end + 2
      } else if bytes[index...].starts(with: "<!DOCTYPE plist".utf8) {
        return true
      } else if bytes[index...].starts(with: "<!".utf8) {
        guard let end = find(">", from: index) else { return false }
        index = end + 1
      } else if bytes[index] == UInt8(ascii: "<") {
        let name = bytes[(index + 1)...].prefix {
          !Self.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
        }
        return name.elementsEqual("plist".utf8)
      } else {
        index += 1
      }
    }
    return false
  }
}
