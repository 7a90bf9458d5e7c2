internal import Synchronization

extension XMLCommonShape {
  /// Reads the files that are XML. Other files, and files that are not well-formed or cannot be read twice, are left out.
  ///
  /// - Parameters:
  ///   - files: The paths of the files. Those that are known to be of regular files are not looked up.
  ///   - options: The options with which the documents will be read.
  ///   - threads: The number of threads that read the files.
  ///   - documents: Receives small documents, so that they need not be read again.
  init(
    ofFiles files: [(path: String, isRegular: Bool)], _ options: ReadingOptions, threads: Int,
    keeping documents: ReadDocuments
  ) {
    self = CommonShapeReading(files, options, documents).shape(threads: threads)
  }

  /// Adds the shape of an input that can be read again, which is then at its beginning. Adds nothing if it is not XML or not well-formed.
  mutating func add(_ input: FileInput, named name: String, _ options: ReadingOptions) {
    if let paths = try? XMLPaths(of: input, named: name, options) { add(paths) }
    // An input that cannot be read again has an error when it is converted.
    try? input.rewind()
  }

  /// Reads documents in memory, each with its name. Those that are not XML or not well-formed are left out.
  init(of documents: [(bytes: [UInt8], name: String)], _ options: ReadingOptions) {
    self.init()
    for document in documents {
      let input = MemoryInput(document.bytes)
      if let paths = try? XMLPaths(of: input, named: document.name, options) { add(paths) }
    }
    hasOtherInputs = documentCount < documents.count
  }
}

extension ReadingOptions {
  /// True if the input may be XML that is read by Ferry's own convention.
  var mayReadByConvention: Bool {
    (format?.isOfElements ?? true) && schema == nil && xml.convention == .ferry
  }

  /// True if the form of an element can depend on other elements with its path: all of the input is read by Ferry's own convention.
  var usesXMLShape: Bool { mayReadByConvention && select == nil }
}

extension FileInput {
  /// Opens a file. Returns nil for one that can be read only once, such as a pipe.
  ///
  /// - Parameter file: The file. Its kind is looked up unless the file is known to be regular.
  static func rereadable(_ file: (path: String, isRegular: Bool)) throws(FerryError) -> FileInput? {
    // Opening a pipe would wait for its writer, or disturb it.
    if !file.isRegular { guard try SystemPath.status(of: file.path)?.kind == .regular else { return nil } }
    let input = try FileInput(path: file.path)
    // A pipe may have replaced the file meanwhile.
    return input.path == nil ? nil : input
  }
}

extension XMLPaths {
  /// Reads the paths of a document in a file. Returns nil also for a file that can be read only once, such as a pipe.
  ///
  /// - Parameter file: The file. Its kind is looked up unless the file is known to be regular.
  init?(
    of file: (path: String, isRegular: Bool), _ options: ReadingOptions,
    keeping documents: ReadDocuments? = nil
  ) throws(FerryError) {
    guard let input = try FileInput.rereadable(file) else { return nil }
    try self.init(of: input, named: file.path, options, keeping: documents)
  }

  /// Reads the paths of a document, which may be compressed or the only file of a ZIP archive. Returns nil for an input that is not XML,
  /// and for a document whose elements say themselves which of them are lists.
  ///
  /// - Parameter documents: Receives a small document in a file, so that it need not be read again; nil for other inputs.
  init?(
    of input: any ByteInput, named name: String, _ options: ReadingOptions,
    keeping documents: ReadDocuments? = nil
  ) throws(FerryError) {
    let (budget, xml) = (options.budget, options.xml)
    let detected = try DetectedInput(input, named: name, options, opensArchive: true)
    guard detected.format.isOfElements else { return nil }
    let shape = XMLShape(budget: budget, options: xml)
    let keeping = documents == nil ? nil : KeepingShape(shape)
    try XMLStream(document: keeping ?? shape, budget: budget, entities: xml.entities, losses: nil).readAll(
      detected.input)
    guard !shape.paths.marksLists else { return nil }
    self = shape.paths
    guard let documents, options.encoding == nil, let elements = keeping?.elements,
      let file = input as? FileInput,
      let document = detected.document(elements)
    else { return }
    documents.add(document, of: file)
  }
}

/// The reading of the shapes of many files by several threads.
private final class CommonShapeReading: Sendable {
  private struct State: Sendable {
    /// The index of the next file.
    var next = 0
    var shape = XMLCommonShape()
  }

  private let files: [(path: String, isRegular: Bool)]
  private let options: ReadingOptions
  private let documents: ReadDocuments
  private let state = Mutex(State())
  private let threads = SystemThreadGroup()
  /// The number of files that are worth a thread.
  private static let filesOfThread = 16

  init(
    _ files: [(path: String, isRegular: Bool)], _ options: ReadingOptions, _ documents: ReadDocuments
  ) {
    (self.files, self.options, self.documents) = (files, options, documents)
  }

  /// Reads the files. The result does not depend on their order.
  func shape(threads count: Int) -> XMLCommonShape {
    for _ in 0..<max(0, min(count, files.count / Self.filesOfThread) - 1) {
      // Without a thread, the other ones read all files.
      try? threads.start { [self] in readFiles() }
    }
    readFiles()
    threads.wait()
    return state.withLock { $0.shape }
  }

  private func readFiles() {
    while let file = nextFile() {
      // The error of a file is reported when the file is converted.
      guard let paths = try? XMLPaths(of: file, options, keeping: documents) else { continue }
      state.withLock { $0.shape.add(paths) }
    }
  }

  private func nextFile() -> (path: String, isRegular: Bool)? {
    state.withLock { state in
      guard state.next < files.count else { return nil }
      defer { state.next += 1 }
      return files[state.next]
    }
  }
}
