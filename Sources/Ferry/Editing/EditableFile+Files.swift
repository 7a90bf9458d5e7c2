// The files of a ZIP archive, which are changed as files of their own.

extension EditableFile {
  /// True if the files of an archive are opened one by one, so that they can be changed.
  var opensFiles: Bool { list.base is ZIPNodes }

  // MARK: Reading

  /// Sends the values of all files by their names, or the bytes of a file that is data.
  ///
  /// - Parameter losses: Receives the entries of archives beside their objects, or nil.
  func sendFiles(
    _ location: ValueLocation, into sink: any ValueSink, losses: LossReport?
  ) throws(FerryError) {
    guard location.trail.children.isEmpty else {
      return try list.replay(location.node, into: sink, budget: options.budget)
    }
    let parts = try walker.parts(of: location)
    try sink.beginDictionary(count: parts.count)
    for index in 0..<parts.count {
      let file = try parts.location(index, in: list)
      let name = try fileName(at: file)
      try sink.key(BorrowedText(name.utf8.span))
      if let inner = try fileOfValues(at: file, after: outerPath.appending(.key(name))) {
        // The identities of objects in two files would be the same.
        let innerLosses = losses.map { LossReport(to: $0, inside: ValuePath([.key(name)])) }
        try inner.send(inner.walker.start([]).location, into: sink, .inFull, losses: innerLosses)
      } else {
        try list.replay(file.node, into: sink, budget: options.budget)
      }
    }
    try sink.endDictionary()
  }

  /// Returns the name of the file at a location.
  func fileName(at location: ValueLocation) throws(FerryError) -> String {
    guard case .value(let index)? = location.trail.children.first else { throw FerryError(.path(.isRoot)) }
    return try fileName(index)
  }

  private func fileName(_ index: Int) throws(FerryError) -> String {
    try list.name(ofFile: list.key(index, of: list.root))
  }

  private func fileBytes(_ node: NodeID) throws(FerryError) -> [UInt8] {
    try list.withData(of: node) { bytes throws(FerryError) in [UInt8](copying: bytes) }
  }

  /// Returns the bytes of the file at a path, also in an archive inside this one. Returns nil for other paths.
  func fileBytes(at path: ValuePath) throws(FerryError) -> [UInt8]? {
    // `try?`: reading the value at the path throws the error.
    guard opensFiles, !path.isEmpty, let walk = try? walk(to: path) else { return nil }
    guard walk.rest.isEmpty || walk.isInData, !walk.location.trail.children.isEmpty else { return nil }
    do throws(FerryError) {
      let bytes = try fileBytes(walk.location.node)
      if walk.rest.isEmpty { return bytes }
      guard ZIPArchive.begins(bytes), let inner = try? nested(at: walk.location, after: walk.path) else {
        return nil
      }
      return try inner.fileBytes(at: ValuePath(Array(walk.rest)))
    } catch {
      throw error.placed(path: walk.path)
    }
  }

  /// Opens the file at a location if it has values or is a text. Returns nil if it is data.
  func fileOfValues(at location: ValueLocation, after path: ValuePath) throws(FerryError) -> EditableFile? {
    guard case .data = try list.kind(of: location.node) else { return nil }
    let name = try fileName(at: location)
    let found: DetectedInput?
    do throws(FerryError) {
      found = try DetectedInput.ofValues(
        MemoryInput(fileBytes(location.node)), named: name, declared: options.declaredFormats,
        encoding: options.encoding, budget: options.budget)
    } catch {
      throw placed(error, inFileNamed: name, at: path)
    }
    return found == nil ? nil : try nested(at: location, after: path)
  }

  /// Returns the value that a patch moves or copies to another path: the bytes of a file if that is the name of a file, too.
  func value(at source: ValuePath, movedTo target: ValuePath) throws(FerryError) -> Value {
    guard opensFiles, source.steps.count == 1, target.steps.count == 1 else { return try value(at: source) }
    return .data(try fileBytes(walk(to: source).location.node))
  }

  // MARK: Changing

  /// Changes a file, or a value in it.
  ///
  /// - Parameters:
  ///   - last: The step of the part that is added or removed; nil to set the whole value.
  ///   - walk: The location of the changed value, or of the value with the part.
  func changeFiles(_ change: Change, _ last: ValuePath.Step?, at walk: Walk) throws(FerryError) {
    var walk = walk
    let isArchive = walk.location.trail.children.isEmpty
    do throws(FerryError) {
      switch (change, last) {
      case (.set(let new), _) where walk.rest.isEmpty: return try setFile(new, at: walk)
      case (.insert(let new), let last?) where isArchive && walk.rest.isEmpty:
        return try insertFile(new, last, at: walk)
      case (.remove, let last?) where isArchive && walk.rest.isEmpty:
        return try editor().remove(last, from: walk.location)
      case (.rename(let name, let replaces), let last?) where isArchive && walk.rest.isEmpty:
        try checkNewFile(name)
        return try editor().rename(last, to: name, in: walk.location, replacing: replaces)
      default: if let last { walk.rest.append(last) }
      }
      guard !isArchive else { throw FerryError(.path(.severalValues)) }
    } catch {
      throw error.placed(path: walk.path)
    }
    try changeData(change, walk)
  }

  private func setFile(_ new: NewValue, at walk: Walk) throws(FerryError) {
    let location = walk.location
    guard !location.trail.children.isEmpty else {
      throw FerryError(.path(.cannotPut("a value", "the files of an archive are changed one by one")))
    }
    if let bytes = try givenBytes(of: new) { return try put(bytes, at: location) }
    let found: EditableFile?
    do throws(FerryError) { found = try fileOfValues(at: location, after: walk.path) } catch {
      // The new value replaces a file that is not valid. Bytes that cannot be read are an error.
      return try put(bytes(of: new, mendingFileAt: location), at: location)
    }
    guard let inner = found else {
      if let text = new.typedText, try meansData(text, at: location.node) {
        return try setFile(.text(text, .data), at: walk)
      }
      guard let text = try givenText(of: new) else {
        throw FerryError(.path(.cannotPut("this value", .current("a file of data"))))
      }
      return try put(Array(text.utf8), at: location)
    }
    guard inner.format.isSingle else { return try changeData(.set(new), walk) }
    guard let text = try givenText(of: new) else {
      throw FerryError(.path(.cannotPut("this value", .current("a text file"))))
    }
    try put(inner.stored.bytes(with: Array(text.utf8)), at: location)
  }

  /// Returns true if a text for a file without values is Base64: if the file is not text, or if the text is the Base64 that `get` prints for
  /// the file, so that a value that is set as it is shown changes nothing.
  private func meansData(_ text: String, at node: NodeID) throws(FerryError) -> Bool {
    let old = try fileBytes(node)
    guard !old.isEmpty else { return false }
    if old.contains(0) { return true }
    if case .invalid = old.span.checkUTF8() { return true }
    return Base64.encode(old.span).elementsEqual(text.utf8)
  }

  private func put(_ bytes: [UInt8], at location: ValueLocation) throws(FerryError) {
    try options.budget.checkToken(bytes.count)
    try editor().set(.data(bytes), at: location)
  }

  private func insertFile(_ new: NewValue, _ step: ValuePath.Step, at walk: Walk) throws(FerryError) {
    // The editor throws the error of another step than a name.
    guard case .key(let name) = step else { return try editor().insert(.null, step, into: walk.location) }
    try checkNewFile(name)
    let bytes = try bytes(of: new, forFileNamed: name, in: walk.location)
    try options.budget.checkToken(bytes.count)
    try editor().insert(.data(bytes), step, into: walk.location)
  }

  /// Throws if there cannot be a file with a name in the archive.
  private func checkNewFile(_ name: String) throws(FerryError) {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPath = parts.allSatisfy { part in
      !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
    }
    let isPlain = name.utf8.allSatisfy { $0 != UInt8(ascii: "\\") && $0 != 0 }
    guard isPath, isPlain, name.utf8.count <= UInt16.max, !ZIPArchive.isOfSystem(name) else {
      throw FerryError(
        .path(.cannotInsert("no file in an archive can have the name \(MessageText.quoted(name))")))
    }
    guard let archive = (list.base as? ZIPNodes)?.archive,
      case .dictionary(let count) = try list.kind(of: list.root)
    else { return }
    guard count + archive.folders.count < options.budget.files else {
      throw FerryError(.overBudget(.files(options.budget.files)))
    }
    guard try list.fileNames(in: list.root, count: count, archive.folders).mayConflict(name) else { return }
    let isFolder = archive.folders.contains { "\($0)/".utf8.starts(with: "\(name)/".utf8) }
    if isFolder { throw Self.isFolder(name) }
    for index in 0..<count {
      let other = try fileName(index)
      if other.utf8.starts(with: "\(name)/".utf8) { throw Self.isFolder(name) }
      guard name.utf8.starts(with: "\(other)/".utf8) else { continue }
      throw FerryError(.path(.cannotInsert("\(MessageText.quoted(other)) is a file, not a folder")))
    }
  }

  private static func isFolder(_ name: String) -> FerryError {
    FerryError(.path(.cannotInsert("\(MessageText.quoted(name)) is a folder")))
  }

  // MARK: New values

  /// Returns the bytes that a user gives for a file; nil for other values.
  private func givenBytes(of new: NewValue) throws(FerryError) -> [UInt8]? {
    switch new {
    case .contents(let bytes, nil), .contents(let bytes, .data), .value(.data(let bytes)),
      .given(.data(let bytes)):
      return bytes
    case .text(let text, .data):
      guard case .data(let bytes) = try TextType.data.value(of: text, budget: options.budget) else {
        return nil
      }
      return bytes
    default: return nil
    }
  }

  /// Returns the text that a user gives for a file; nil for other values.
  private func givenText(of new: NewValue) throws(FerryError) -> String? {
    switch new {
    case .text(let text, nil), .text(let text, .string), .value(.string(let text)), .given(.string(let text)),
      .json(.string(let text)), .patchText(let text):
      return text
    case .contents(let bytes, .string): return try Self.text(of: bytes)
    default:
      if case .string(let text)? = json(of: new) { return text }
      return nil
    }
  }

  /// Returns the bytes of a new file: those that are given, a text in UTF-8, or another value in the format that the name shows.
  private func bytes(
    of new: NewValue, forFileNamed name: String, in location: ValueLocation
  ) throws(FerryError) -> [UInt8] {
    if let bytes = try givenBytes(of: new) { return bytes }
    switch new {
    case .text(let text, nil), .text(let text, .string): return Array(text.utf8)
    case .contents(let bytes, .string): return Array(try Self.text(of: bytes).utf8)
    default: return try bytes(of: value(new, at: location, replaces: false), forFileNamed: name)
    }
  }

  /// Returns the bytes that replace a file which is not valid: those of a new file, or of Base64 if the old file is not text.
  private func bytes(of new: NewValue, mendingFileAt location: ValueLocation) throws(FerryError) -> [UInt8] {
    var new = new
    if let text = new.typedText, try meansData(text, at: location.node) { new = .text(text, .data) }
    return try bytes(of: new, forFileNamed: fileName(at: location), in: location)
  }

  private func bytes(of value: Value, forFileNamed name: String) throws(FerryError) -> [UInt8] {
    if case .data(let bytes) = value { return bytes }
    let format = options.declaredFormats.format(ofFileNamed: name) ?? Format.ofFile(named: name)
    guard let format, format.canWrite, format.canRead, !format.isSingle, !format.isDatabase else {
      if case .string(let text) = value { return Array(text.utf8) }
      throw FerryError(.path(.cannotPut("this value", "the name of the file shows no format of values")))
    }
    var conversion = Conversion(to: format)
    conversion.reading.budget = options.budget
    let (output, losses) = (MemoryOutput(), LossReport())
    try conversion.write(to: output, losses: losses) { sink throws(FerryError) in
      try value.replay(into: sink)
    }
    changeLosses.add(losses.all, under: [.key(name)])
    return output.bytes
  }

  // MARK: Writing

  /// Returns the bytes of the archive with the changed files. All others keep their bytes in the archive.
  func archiveBytes(of files: ZIPNodes, _ losses: LossReport) throws(FerryError) -> [UInt8] {
    guard case .dictionary(let count) = try list.kind(of: list.root) else { return source.copy }
    let members = files.archive.members
    var left: [ExactString: Int] = [:]
    for (index, member) in members.enumerated() { left[ExactString(member.name)] = index }
    var copier = try ZIPCopier(files.archive)
    for index in 0..<count {
      let (name, node) = (try fileName(index), try list.value(index, of: list.root))
      guard let old = left.removeValue(forKey: ExactString(name)) else {
        if let origin = node < list.firstNewNode ? node : list.origin(of: node) {
          copier.add(name, copying: files.member(at: origin))
        } else {
          copier.add(name, with: try fileBytes(node))
        }
        continue
      }
      let original = try files.value(old, of: files.root)
      guard node != original else { continue }
      let bytes = try fileBytes(node)
      let isSame = try files.withData(of: original) { old throws(FerryError) in old.equals(bytes.span) }
      if !isSame { copier.replace(members[old], with: bytes) }
    }
    for index in left.values.sorted() { copier.remove(members[index]) }
    if !copier.isUnchanged, files.archive.isSigned { losses.add(.archiveSignature) }
    return try copier.bytes()
  }
}
