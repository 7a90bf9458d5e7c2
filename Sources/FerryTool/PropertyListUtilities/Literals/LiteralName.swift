import Ferry

/// The name of the variable for a literal, made of the name of the property list's file.
///
///     my-file 2.plist     my_file_2
///     2.plist             _2
struct LiteralName {
  /// The name of the file, in the comment above the literal.
  let file: String
  /// The name without characters that an identifier cannot contain.
  let identifier: String

  /// Creates the name for a file; `-` is the standard input.
  init(ofFile path: String) {
    let fileName = path.namesInPath.last.map(String.init) ?? path
    // A line end would end the comment.
    file = fileName.withoutControls
    let stem = fileName == "-" ? "propertyList" : Self.stem(of: fileName)
    let scalars = stem.unicodeScalars.map { Self.isAllowed($0) ? Character($0) : "_" }
    let name = String(scalars)
    identifier = name.first?.isNumber ?? true ? "_" + name : name
  }

  /// Returns a name without its extension.
  static func stem(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isIDContinue
  }
}
