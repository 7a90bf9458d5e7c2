import ArgumentParser
import Ferry

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
