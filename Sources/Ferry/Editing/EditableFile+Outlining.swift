extension EditableFile {
  /// The size in bytes from which a file is not kept in memory to read the values at a path.
  static let outlinedSize = 1 << 20

  /// Reads the value at a path of a file. Of a large text file, only what the path names is kept in memory.
  ///
  ///     try EditableFile.value(at: "people.person[3].name", ofFile: "people.xml")     // .string("Grace")
  ///
  /// - Parameters:
  ///   - path: The path of the value, as in ``value(at:)``.
  ///   - file: The path of the file, or `-` for the standard input.
  ///   - options: The options for opening the file.
  /// - Throws: An error of the system, or an error if the content is not valid or the file has no such value.
  public static func value(
    at path: ValuePath, ofFile file: String, options: Options = Options()
  ) throws(FerryError) -> Value {
    try reading(path, from: FileInput(path: file), named: file, options: options).value(at: path)
  }

  /// Opens an input to read the values at one path, or all values if the path is empty. The file may have nothing else, so it is not for
  /// changes.
  ///
  /// - Parameter name: The file name of the input.
  package static func reading(
    _ path: ValuePath, from input: any ByteInput, named name: String, options: Options
  ) throws(FerryError) -> EditableFile {
    try reading(path, from: input, named: name, options: options, outliningFrom: outlinedSize)
  }

  /// Opens an input to read the values at one path.
  ///
  /// - Parameter matches: Receives the collections at the path if only an outline of the file is kept. Only their numbers are in the file.
  static func reading(
    _ path: ValuePath, from input: any ByteInput, named name: String, options: Options,
    outliningFrom size: Int = outlinedSize, matches: (any OutlinedMatches)? = nil
  ) throws(FerryError) -> EditableFile {
    if (input as? FileInput)?.size ?? .max >= size, !path.isEmpty || matches != nil {
      try input.makeRewindable()
      let detected = try DetectedInput(of: input, named: name, options)
      try input.rewind()
      if detected.format.hasOutlines {
        let file = try outlined(path, of: input, named: name, options, path.testsMatches ? nil : matches)
        file.filePath = input.path
        return file
      }
    }
    // A large file is mapped. A pipe is not opened twice.
    let bytes =
      if let path = input.path { try FileBytes(reading: path) } else { FileBytes(try input.readAll()) }
    let file = try EditableFile(bytes, named: name, options: options, nesting: 0)
    file.filePath = input.path
    return file
  }

  private static func outlined(
    _ path: ValuePath, of input: any ByteInput, named name: String, _ options: Options,
    _ matches: (any OutlinedMatches)?
  ) throws(FerryError) -> EditableFile {
    let file = try EditableFile(outlining: input, named: name, options: options, path, .matches, matches)
    file.outlinedMatches = matches
    if (try? file.count(at: path)) != nil { return file }
    // The error names values beside the path.
    try input.rewind()
    return try EditableFile(outlining: input, named: name, options: options, path, .names)
  }

  private convenience init(
    outlining input: any ByteInput, named name: String, options: Options, _ path: ValuePath,
    _ detail: PathOutline.Detail, _ matches: (any OutlinedMatches)? = nil
  ) throws(FerryError) {
    let detected = try DetectedInput(of: input, named: name, options)
    try self.init(detected, EncodedFile([], budget: options.budget), options: options, nesting: 0) { tree in
      PathOutline(of: path, detail, to: tree, matches: matches)
    }
  }
}

extension ValuePath {
  /// True if a filter in the path may test a value at its end, or one around it: the last step is a filter, or the value that a condition
  /// compares may be a collection.
  fileprivate var testsMatches: Bool {
    steps.last?.isFilter == true
      || steps.contains { step in
        if case .filter(let filter) = step { !filter.conditions.allSatisfy(\.comparesEntry) } else { false }
      }
  }
}

extension ValuePath.Condition {
  /// True if only a dictionary with a scalar for one key meets the condition.
  fileprivate var comparesEntry: Bool {
    guard comparison != .notEqual, path.steps.count == 1, let step = path.steps.first else { return false }
    return step.isKey && step.indexInList == nil
  }
}

extension DetectedInput {
  init(
    of input: any ByteInput, named name: String, _ options: EditableFile.Options
  ) throws(FerryError) {
    try self.init(
      input, named: name, given: options.format, declared: options.declaredFormats,
      encoding: options.encoding, budget: options.budget, hasTableOptions: options.csv.areGiven,
      opensArchive: true)
  }
}

extension Format {
  /// True if a file of the format is read as a stream of values, of which none is a part of an archive.
  var hasOutlines: Bool {
    switch description.reader {
    case .stream: asArchive == self
    case .elements: true
    case .nodes, .typedstream, .database, .files, nil: false
    }
  }
}
