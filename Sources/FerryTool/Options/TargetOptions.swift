import ArgumentParser
import Ferry

/// The kind of an output: a file in a format, or a document of a type.
enum ConversionTarget: Sendable {
  case format(Format)
  case document(DocumentType)

  /// The format in which records are written.
  var format: Format {
    switch self {
    case .format(let format): format
    case .document(let type):
      switch type.layout {
      case .file(let format), .package(_, let format, _): format
      }
    }
  }

  /// The type of the package to write; nil if the output is a file.
  var package: DocumentType? {
    guard case .document(let type) = self, type.isPackage else { return nil }
    return type
  }

  /// The extension of outputs that are named after their inputs.
  var fileExtension: String {
    let given: String? =
      switch self {
      case .format(let format): format.extensions.first
      case .document(let type): type.extensions.first
      }
    return given ?? "plist"
  }
}

/// `--to json`, `--to things`
struct TargetName: ExpressibleByArgument {
  let text: String

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    text = argument
  }

  /// The names in help and completion.
  static var allValueStrings: [String] { all(.builtIn) }

  /// Returns the distinct names that can be typed; a format and a type of document may share one.
  static func all(_ types: DocumentTypes) -> [String] {
    let formats = Format.written.map(\.rawValue)
    return formats + types.types.map(\.name).filter { !formats.contains($0) }
  }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// The option for additional document types, shared by all commands that name documents.
struct TypeOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A file that describes more document types.", valueName: "file"),
    completion: .file())
  var types: String?

  /// Returns the built-in types, with those of the file in `--types`. Reports an error and ends the run.
  func load() throws -> DocumentTypes {
    do throws(NamedError) {
      return try known()
    } catch {
      StandardError.write(error.line)
      throw ExitCode.failure
    }
  }

  /// Returns the built-in types, with those of the file in `--types`.
  func known() throws(NamedError) -> DocumentTypes {
    guard let types else { return .builtIn }
    return try NamedError.naming(types) { () throws(FerryError) in try DocumentTypes(file: types) }
  }

  /// Returns the file with the values of a document: for a package the file with its records, otherwise the
  /// document.
  func mainFile(of name: String) throws(NamedError) -> String {
    guard name != "-", Folder.isFolder(name) else { return name }
    let types = try known()
    return try NamedError.naming(name) { () throws(FerryError) in try types.mainFile(of: name) }
  }
}

extension OutputOptions {
  /// Returns the kind of the output that `--to` and the extension of `-o` determine.
  func target(_ types: DocumentTypes) throws -> ConversionTarget {
    let named = output.flatMap(types.type(ofFile:))
    guard let to else {
      if let named { return Self.target(ofExtension: named, types) }
      if let format = output.flatMap(Format.ofFile(named:)) { return try Self.written(format) }
      throw ValidationError("\(missingTarget) (\(Self.targets(types)))")
    }
    if let format = Format(name: to.text) {
      // The archive of a package belongs into the package.
      if let named, case .package(_, format, _) = named.layout { return .document(named) }
      return try Self.written(format)
    }
    guard let type = types.type(named: to.text) else {
      throw ValidationError(
        "unknown format \"\(to.text)\" for --to\(Self.suggestion(to.text, types)) (\(Self.targets(types)))")
    }
    return .document(type)
  }

  /// Returns the target for a file extension. For a built-in document type that is one file, the extension
  /// determines only the format, because any archive may be called `x.archive`.
  private static func target(ofExtension type: DocumentType, _ types: DocumentTypes) -> ConversionTarget {
    if case .file(let format) = type.layout, types.isBuiltIn(type) { return .format(format) }
    return .document(type)
  }

  private static func written(_ format: Format) throws -> ConversionTarget {
    guard !format.canWrite else { return .format(format) }
    guard format != .sqlite else {
      throw ValidationError("writing sqlite is not supported by this build (its package trait SQLite is off)")
    }
    throw ValidationError(
      "writing \(format.rawValue) is not supported (try: \(targets(.builtIn)))")
  }

  /// The error for a command that does not determine the output's format.
  private var missingTarget: String {
    let option = "add --to FORMAT"
    if inPlace { return "-i replaces files by another format: \(option)" }
    guard let output else { return "no output format: \(option), or -o FILE with a known extension" }
    if output == "-" { return "the standard output has no file extension: \(option)" }
    let name = output.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return "the file name \"\(name)\" has no extension: \(option)"
    }
    return "unknown file extension \"\(name[dot...])\": \(option)"
  }

  private static func suggestion(_ name: String, _ types: DocumentTypes) -> String {
    NearMiss.nearest(to: name, among: TargetName.all(types)).map { " (did you mean \"\($0)\"?)" } ?? ""
  }

  private static func targets(_ types: DocumentTypes) -> String {
    TargetName.all(types).joined(separator: ", ")
  }
}
