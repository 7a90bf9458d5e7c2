extension DetectedInput {
  /// Returns a file of a ZIP archive if its values are those of the archive: it is in a format of values, or a text. Returns nil for a file
  /// that is data: a picture, a database, an archive of files, or a file of an unknown format.
  static func ofValues(
    _ input: any ByteInput, named name: String, declared: DeclaredFormats, encoding: String? = nil,
    budget: Budget
  ) throws(FerryError) -> DetectedInput? {
    do throws(FerryError) {
      let detected = try DetectedInput(
        input, named: name, given: nil, declared: declared, encoding: encoding, budget: budget)
      let description = detected.format.description
      let isText = description.textEncoding != nil
      guard description.content != .single || isText, !description.isDatabase, description.isRead,
        !description.isArchiveOfFiles
      else { return nil }
      return detected
    } catch {
      switch error.reason {
      case .file(.empty), .file(.unknownFormat), .file(.otherKind): return nil
      default: throw error
      }
    }
  }
}
