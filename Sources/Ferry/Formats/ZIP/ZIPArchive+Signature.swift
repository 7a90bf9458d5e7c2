extension ZIPArchive {
  /// True if a file of the archive is a signature of the others: of a Java archive, an OpenDocument or Office document, or a book in EPUB.
  var isSigned: Bool {
    members.contains { member in
      let name = member.name.lowercased()
      if name.begins(with: "_xmlsignatures/") { return true }
      guard name.begins(with: "meta-inf/") else { return false }
      let ends: [StaticString] = [".sf", ".rsa", ".dsa", ".ec", "/documentsignatures.xml", "/signatures.xml"]
      return ends.contains { name.ends(with: $0) }
    }
  }
}
