import ArgumentParser
import Ferry

/// What an output is to be: a file of a format, or a document of a type.
enum ConversionTarget: Sendable {
  case format(Format)
  case document(DocumentType)

  /// The format that records are written in.
  var format: Format {
    switch self {
    case .format(let format): format
    case .document(let type):
      switch type.layout {
      case .file(let format), .package(_, let format, _): format
      }
    }
  }

  /// The type of the package that is written; nil when the output is a file.
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

  /// The names that help and completion show.
  static var allValueStrings: [String] { all(.builtIn) }

  /// The names that can be typed, each once: a format and a type of document may share one.
  static func all(_ types: DocumentTypes) -> [String] {
    let formats = Format.written.map(\.rawValue)
    return formats + types.types.map(\.name).filter { !formats.contains($0) }
  }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// The types of documents that are known: shared by all commands that name documents.
struct TypeOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A file that describes more document types.", valueName: "file"),
    completion: .file())
  var types: String?

  /// The types that are built in, and those of the file that `--types` names.
  func load() throws -> DocumentTypes {
    do throws(NamedFailure) {
      return try known()
    } catch {
      StandardError.write(error.line)
      throw ExitCode.failure
    }
  }

  /// The same, for those who say themselves what is wrong.
  func known() throws(NamedFailure) -> DocumentTypes {
    guard let types else { return .builtIn }
    return try NamedFailure.naming(types) { () throws(Failure) in try DocumentTypes(file: types) }
  }

  /// The file that holds the values of a document: of a package the one with its records, else the document.
  func mainFile(of name: String) throws(NamedFailure) -> String {
    guard name != "-", Folder.isFolder(name) else { return name }
    let types = try known()
    return try NamedFailure.naming(name) { () throws(Failure) in try types.mainFile(of: name) }
  }
}

extension OutputOptions {
  /// What `--to` and the extension of `-o` say that the output is to be.
  func target(_ types: DocumentTypes) throws -> ConversionTarget {
    let named = output.flatMap(types.type(ofFile:))
    guard let to else {
      if let named { return Self.target(ofExtension: named, types) }
      if let format = output.flatMap(Format.ofFile(named:)) { return try Self.written(format) }
      throw ValidationError("\(missingTarget) (\(Self.targets(types)))")
    }
    if let format = Format(name: to.text) {
      // The archive of a package is in its package.
      if let named, case .package(_, format, _) = named.layout { return .document(named) }
      return try Self.written(format)
    }
    guard let type = types.type(named: to.text) else {
      throw ValidationError(
        "unknown format \"\(to.text)\" for --to\(Self.suggestion(to.text, types)) (\(Self.targets(types)))")
    }
    return .document(type)
  }

  /// The extension of a document that is one file of a type of Ferry's own says its format only: any archive may be
  /// called `x.archive`.
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

  /// The problem with a command that does not tell the output's format.
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
