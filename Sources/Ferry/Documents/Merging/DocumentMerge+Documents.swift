// Merges of versions of which some have several documents of YAML.
//
//     base a: 1        ours a: 1        theirs a: 1    →    three documents
//                           ---                ---
//                           b: 2               c: 3

extension DocumentMerge {
  /// Three versions of a document.
  typealias Versions = (base: Version?, ours: Version, theirs: Version)

  /// Returns versions whose values are lists of documents if a version has several documents. Otherwise another number of documents would
  /// count as a change of each value.
  static func listingDocuments(_ versions: Versions) -> Versions {
    let all = [versions.base, versions.ours, versions.theirs].compactMap(\.self)
    guard all.contains(where: \.hasSeveralDocuments) else { return versions }
    return (versions.base?.listingDocuments, versions.ours.listingDocuments, versions.theirs.listingDocuments)
  }

  /// Returns the base, or nil if it has only comments and both sides have created the document.
  static func baseWithContent(_ versions: Versions) -> Version? {
    let isCreated = ![versions.ours, versions.theirs].contains(where: \.hasOnlyComments)
    return isCreated && versions.base?.hasOnlyComments == true ? nil : versions.base
  }
}

extension RecordDocument {
  /// True for a file of YAML without a document, which is read as null.
  fileprivate var hasOnlyComments: Bool {
    guard case .null = value, format.layoutOptions.contains(.documents), describingText == nil else {
      return false
    }
    let text = self.text
    let lines = text[text.utf8MarkCount...].split(whereSeparator: YAMLDocumentScan.endsLine)
    return !lines.contains { YAMLDocumentScan.isContent($0) || YAMLDocumentScan.isDirective($0) }
  }

  /// The document as a list of documents, if its format has such lists.
  fileprivate var listingDocuments: RecordDocument {
    guard !hasSeveralDocuments, format.layoutOptions.contains(.documents) else { return self }
    // By a schema, the records of a list in one document are those of several documents.
    if isMapped, case .array = value { return self }
    var document = replacing(value: .array(bytes.allSatisfy(\.isSpace) ? [] : [value]), losses: losses)
    document.hasSeveralDocuments = true
    return document
  }
}
