extension FormatSignature {
  static let xmlPropertyList: Self = FormatSignature(.dialect, proof: .firstBytes) { $0.isXMLPropertyList }

  /// The signature of archives in XML: a property list that contains a key of archives, at any level. The
  /// objects show later whether it is an archive.
  static let xmlArchive: Self = FormatSignature(.entries, proof: .firstBytes) {
    $0.isXMLPropertyList && $0.hasArchiveKey && !$0.beginsTypedForm
  }
}

extension FormatHead {
  fileprivate var hasArchiveKey: Bool {
    let keys = ["$archiver", "$objects", "$top", "$version"].map { Array("<key>\($0)</key>".utf8) }
    var index = start
    while let dollar = bytes[index...].firstIndex(of: UInt8(ascii: "$")) {
      let key = bytes[max(start, dollar - 5)...]
      if keys.contains(where: { key.starts(with: $0) }) { return true }
      index = dollar + 1
    }
    return false
  }

  /// True if the first key is that of the typed form, which also contains keys of archives.
  fileprivate var beginsTypedForm: Bool {
    guard let key = end(ofFirst: "<key>", from: start) else { return false }
    return bytes[key...].starts(with: "$ferry</key>".utf8)
  }

  /// True if the first element, after declarations and comments, is `plist`.
  fileprivate var isXMLPropertyList: Bool {
    guard first == UInt8(ascii: "<") else { return false }
    var index = start
    while index < bytes.count {
      if let section = XMLSection(at: index, in: bytes.span) {
        guard let end = section.end(in: bytes.span, from: index) else { return false }
        index = end
      } else if bytes[index...].starts(with: "<!DOCTYPE plist".utf8) {
        return true
      } else if bytes[index...].starts(with: "<!".utf8) {
        guard let end = end(ofFirst: ">", from: index) else { return false }
        index = end
      } else if bytes[index] == UInt8(ascii: "<") {
        return bytes[(index + 1)..<bytes.span.endOfWrittenName(from: index + 1)].elementsEqual("plist".utf8)
      } else {
        index += 1
      }
    }
    return false
  }
}
