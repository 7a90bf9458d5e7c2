// Merges of versions of which some have several documents of YAML.
//
//     base a: 1        ours a: 1        theirs a: 1    →    three documents
//                           ---                ---
//                           b: 2               c: 3

extension MergedVersions {
  /// The versions, each with the list of its documents as its value if any version has several documents. Otherwise a version with one
  /// document and a version with two would have different values throughout.
  var listingDocuments: MergedVersions {
    guard all.contains(where: \.hasSeveralDocuments) else { return self }
    return MergedVersions(
      base: base?.listingDocuments, ours: ours.listingDocuments, theirs: theirs.listingDocuments)
  }

  /// The versions, without the base if it has only comments and both sides have added a document.
  var withoutEmptyBase: MergedVersions {
    let isCreated = !ours.hasOnlyComments && !theirs.hasOnlyComments && base?.hasOnlyComments == true
    return isCreated ? MergedVersions(base: nil, ours: ours, theirs: theirs) : self
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
