/// A file that was found in a folder. It may be of any kind, because the user did not name it.
///
///     people.json     JSON, because of its name: what is wrong in it is an error
///     people          JSON, if all of it is well-formed
///     LICENSE         a file of another kind, although JSON may begin with the first letter of "the license"
package struct FolderFile {
  private let path: String
  /// True if the name has the extension of a format with values, or of a type of documents.
  private let hasKnownExtension: Bool

  package init(path: String, hasKnownExtension: Bool) {
    (self.path, self.hasKnownExtension) = (path, hasKnownExtension)
  }

  /// Checks that the file is one that Ferry reads. A file with a known extension is, unless it is a page of HTML. Any other file has to
  /// begin with bytes that no file of another program begins with, or its text has to be well-formed in the format that its first bytes
  /// show. A text with a mistake is read only as far as the mistake.
  ///
  /// - Parameters:
  ///   - options: The options for reading: the encoding, the entities and the budget.
  ///   - takesSingles: Pass true to accept single texts and pictures, which hold no records.
  /// - Throws: A `FerryError` with the reason `FileProblem.empty`, `unknownFormat` or `otherKind` if the file is of another kind, or an
  ///   error of the system. For a file with a known extension, also any other error that shows in its first bytes.
  package func check(_ options: ReadingOptions, takesSingles: Bool) throws(FerryError) {
    let detected = try detected(options)
    let format = detected.format
    guard !format.isSingle || !takesSingles else { return }
    try format.checkHoldsRecords(detected.head)
    guard !hasKnownExtension else { return }
    switch format.description.signature.proof {
    case .firstBytes: return
    case .wholeText where try isWellFormed(detected, options): return
    case .wholeText, .name: throw FerryError(.file(.unknownFormat(likely: nil)))
    }
  }

  /// Detects the format. Data that cannot be decompressed and text that cannot be decoded are of another kind, unless the name says
  /// that they have a format.
  private func detected(_ options: ReadingOptions) throws(FerryError) -> DetectedInput {
    let input = try FileInput(path: path)
    do throws(FerryError) {
      return try DetectedInput(
        input, named: path, given: nil, declared: options.declaredFormats, encoding: options.encoding,
        budget: options.budget, opensArchive: true)
    } catch {
      if case .file = error.reason { throw error }
      throw hasKnownExtension ? error : FerryError(.file(.unknownFormat(likely: nil)))
    }
  }

  private func isWellFormed(
    _ detected: DetectedInput, _ options: ReadingOptions
  ) throws(FerryError) -> Bool {
    let head = FormatHead(detected.head, name: path)
    if head.hasXMLDeclaration { return true }
    guard head.beginsCollection(of: detected.format) else { return false }
    do throws(FerryError) {
      switch detected.format.description.reader {
      case .stream(let makeReader):
        let context = ReaderContext(options)
        if !head.isWhole, try Self.hasMistake(detected.head, makeReader(NullSink(), context)) { return false }
        try makeReader(NullSink(), context).readAll(detected.input)
      case .elements:
        let stream = try XMLStream(
          document: ElementDelegate(), budget: options.budget, entities: options.xml.entities)
        try stream.readAll(detected.input)
      case .nodes, .typedstream, .database, .files, nil: break
      }
      return true
    } catch {
      switch error.reason {
      // The rest of the text is not known. The command that reads the file reports the limit.
      case .overBudget: return true
      case .file: throw error
      default: return false
      }
    }
  }

  /// Returns true if the first bytes of a property list as text have a mistake. The reader parses a text when it has all of it.
  private static func hasMistake(_ head: [UInt8], _ reader: any ChunkReader) -> Bool {
    guard let reader = reader as? OpenStepReader else { return false }
    do throws(FerryError) {
      try reader.read(head.span)
      try reader.finish()
      return false
    } catch {
      if case .propertyList(.expected) = error.reason { return true }
      return false
    }
  }
}

extension FormatHead {
  fileprivate var hasXMLDeclaration: Bool {
    let text = bytes[start...]
    return text.starts(with: "<?xml".utf8) && text.dropFirst(5).first.map(Self.isSpace) == true
  }

  /// Returns true if the text begins a list or a dictionary, and is not a text with comments alone. Any number, and any word in quotation
  /// marks, would be JSON.
  fileprivate func beginsCollection(of format: Format) -> Bool {
    guard let first = endOfComments(from: start) else { return false }
    return format.description.shape != .json || "{[\u{1e}".utf8.contains(bytes[first])
  }
}
