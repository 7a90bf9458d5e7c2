extension XMLCommonShape {
  /// Reads the files that are XML. Other files, and files that are not well-formed or cannot be read twice, are left out.
  ///
  /// - Parameters:
  ///   - files: The paths of the files.
  ///   - options: The options with which the documents will be read.
  ///   - budget: The limits on the cost of each document.
  init(ofFiles files: [String], options: XMLReadingOptions, budget: Budget) {
    self.init()
    for file in files {
      // The error of a file is reported when the file is converted.
      if let shape = try? Self.shape(ofFile: file, options, budget), !shape.paths.marksLists {
        add(shape.paths)
      }
    }
  }

  /// Returns the shape of a document, or nil for a file that is not XML, or is a pipe.
  private static func shape(
    ofFile file: String, _ options: XMLReadingOptions, _ budget: Budget
  ) throws(FerryError) -> XMLShape? {
    guard try SystemPath.status(of: file)?.kind == .regular else { return nil }
    let input = try FileInput(path: file)
    let detected = try DetectedInput(input, named: file, given: nil, budget: budget)
    guard detected.format == .xml else { return nil }
    let shape = XMLShape(budget: budget, options: options)
    try XMLStream(document: shape, budget: budget, entities: options.entities, losses: nil).readAll(
      detected.input)
    return shape
  }
}
