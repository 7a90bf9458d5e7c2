import Ferry

/// An input of a run: a file or package that the user named, or one that is in a named folder.
struct FoundInput: Sendable {
  let path: String
  /// The path from the named folder to the folder of this input: `old/backup`. Empty for a named input.
  let subfolder: String
  /// True if the user did not name the file, so that it may be of a kind that Ferry does not read.
  let isInFolder: Bool
  /// True if --include names the file.
  private let isIncluded: Bool
  /// True if the name has the extension of a format with values, or of a type of documents.
  private let hasKnownExtension: Bool
  private let types: DocumentTypes

  init(named path: String, among types: DocumentTypes) {
    (self.path, subfolder, isInFolder) = (path, "", false)
    (isIncluded, hasKnownExtension) = (true, true)
    self.types = types
  }

  private init(_ name: String, in folder: String, isIncluded: Bool, _ types: DocumentTypes) {
    path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    subfolder = name.namesInPath.dropLast().joined(separator: "/")
    isInFolder = true
    self.isIncluded = isIncluded
    hasKnownExtension = types.hasValues(inFileNamed: name)
    self.types = types
  }

  /// Returns the folder for the output of this input, of the folder for all outputs.
  func outputFolder(in folder: String) -> String { subfolder.isEmpty ? folder : "\(folder)/\(subfolder)" }

  /// True if the contents decide if the file is read: the user named neither the file nor a pattern for it.
  private var dependsOnContents: Bool { isInFolder && !isIncluded }

  /// Checks that a file is one that Ferry reads, if its contents decide that. With a given format they do not.
  ///
  /// - Parameter takesSingles: Pass true to accept single texts and pictures, which hold no records.
  /// - Throws: An error for which `isOfOtherKind` returns true, or any other that shows in the first bytes.
  func checkContents(
    _ options: @autoclosure () -> ReadingOptions, takesSingles: Bool = false
  ) throws(FerryError) {
    guard dependsOnContents else { return }
    let options = options()
    guard options.format == nil else { return }
    do throws(FerryError) {
      try FolderFile(path: path, hasKnownExtension: hasKnownExtension)
        .check(options, takesSingles: takesSingles)
    } catch {
      guard Folder.isFolder(path) else { throw error }
    }
  }

  /// Returns true if an error shows that a file in a folder is of a kind that Ferry does not read. A file that should be readable
  /// by its name is wrong, except for pages of HTML with the extension of XML.
  func isOfOtherKind(_ error: FerryError) -> Bool {
    guard dependsOnContents, error.unreadKind != nil else { return false }
    return !hasKnownExtension || error.reason == .file(.otherKind("HTML"))
  }

  /// The format of the input by its type, contents and name, for a package that of the file with its records, also in a ZIP archive; nil if it
  /// is not known before the input is read, or if it has none.
  var format: Format? {
    let budget = Budget()
    guard !isStream,
      let values = try? types.openValues(of: path, from: nil, budget: budget, ProcessArguments.current.open)
    else { return nil }
    return try? values.file.formatOfValues(
      named: values.name, declared: values.declaredFormats, budget: budget)
  }

  /// The formats that document types declare for files.
  var declaredFormats: DeclaredFormats { types.declaredFormats }

  /// True if the input is XML, or if that is not known before it is read. An archive of files may contain XML.
  var mayBeXML: Bool {
    guard !isStream else { return true }
    return format?.mayContainElements == true
  }

  /// True if the input is the standard input or a pipe, whose first bytes cannot be read again.
  private var isStream: Bool { path == "-" || !Folder.isFileOrFolder(path) }

  /// Returns the inputs with some names. A folder that is not a package is replaced by the files and packages in it.
  ///
  /// - Parameters:
  ///   - errors: Receives the paths that cannot be listed.
  ///   - isQuiet: Pass true not to report the patterns without effect, and the outputs that are left out.
  ///   - outputs: The files that the run writes.
  ///   - outputFolder: The folder of the outputs, whose files are not inputs although it may be in one of the folders. If it is
  ///     a package, it must also be one of `outputs`, so that a note says that the package is left out.
  static func all(
    named names: [String], _ choice: FileChoice, _ types: DocumentTypes, _ errors: RunErrors,
    isQuiet: Bool, leavingOut outputs: RunOutputs = RunOutputs(), in outputFolder: String? = nil
  ) -> [FoundInput] {
    var choice = choice
    var hasFolder = false
    defer { if !isQuiet, hasFolder { choice.reportUnused() } }
    let outputFolder = outputFolder.flatMap(Folder.identity(of:))
    return names.flatMap { name -> [FoundInput] in
      guard isFolder(name, types) else { return [FoundInput(named: name, among: types)] }
      hasFolder = true
      let found = inFolder(name, &choice, types, errors) { path in
        if types.type(ofFile: path)?.isPackage == true { return .file }
        return outputFolder != nil && Folder.identity(of: path) == outputFolder ? .leftOut : .opened
      }
      return found.map(\.input).filter { !outputs.leavesOut($0.path, isQuiet: isQuiet) }
    }
  }

  /// Returns the files and packages in a folder with their paths from the folder.
  ///
  /// - Parameters:
  ///   - choice: The files that are taken.
  ///   - errors: Receives the paths that cannot be listed, and the number of symbolic links that are skipped.
  ///   - followingLinks: Pass true to take symbolic links to files as these files.
  ///   - treatment: Returns the treatment of the folder at a path that the choice does not leave out: a package is one input.
  static func inFolder(
    _ folder: String, _ choice: inout FileChoice, _ types: DocumentTypes, _ errors: RunErrors,
    followingLinks: Bool = false, treatment: (String) -> Folder.Subfolder
  ) -> [(name: String, input: FoundInput)] {
    let patterns = choice.patterns(in: folder)
    let listing = Folder.listing(under: folder, followingLinks: followingLinks) { path in
      let name = name(of: path, in: folder)
      guard !choice.excludes(name, patterns), !Self.isOfTools(path) else { return .leftOut }
      let treatment = treatment(path)
      return treatment == .opened && !patterns.mayTakeFiles(in: name) ? .leftOut : treatment
    } reporting: { path, isFolder in
      let name = name(of: path, in: folder)
      guard isFolder else { return choice.takes(name, patterns) }
      return !choice.excludes(name, patterns) && patterns.mayTakeFiles(in: name)
    }
    for (path, error) in listing.errors { errors.add(NamedError(name: path, error: error)) }
    let links = listing.links.map { name(of: $0, in: folder) }.filter { !choice.excludes($0, patterns) }
    // A link is not a file that a pattern has taken.
    var choiceOfLinks = choice
    errors.addSkippedLinks(links.count { choiceOfLinks.takes($0, patterns) })
    return listing.files.map { name(of: $0, in: folder) }.filter { choice.takes($0, patterns) }.map {
      ($0, FoundInput($0, in: folder, isIncluded: choice.hasIncluded, types))
    }
  }

  /// Returns the path of a file from a folder, of a path that begins with the folder's.
  static func name(of path: String, in folder: String) -> String {
    String(decoding: path.utf8.dropFirst(folder.utf8.count).drop { $0 == UInt8(ascii: "/") }, as: UTF8.self)
  }

  /// Returns true for the path of a folder in which a program for versions or builds keeps files of its own.
  static func isOfTools(_ folder: String) -> Bool { foldersOfTools.contains(Folder.name(of: folder)) }

  /// The names of folders in which programs for versions or builds keep files of their own.
  static let foldersOfTools = [".git", ".hg", ".svn", ".build"]

  /// Returns true if a path is that of a folder that is not a package.
  static func isFolder(_ path: String, _ types: DocumentTypes) -> Bool {
    path != "-" && types.type(ofFile: path)?.isPackage != true && Folder.isFolder(path)
  }
}

extension XMLReadingOptions {
  /// Refuses inputs of other formats, on which the options have no effect, unless an input is in a folder or one of several is XML.
  mutating func refuseOtherFormats(of inputs: [FoundInput]) {
    guard isGiven, !inputs.contains(where: \.isInFolder) else { return }
    refusesOtherFormats = inputs.count == 1 || !inputs.contains(where: \.mayBeXML)
  }
}
