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
}

extension RecordDocument {
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
