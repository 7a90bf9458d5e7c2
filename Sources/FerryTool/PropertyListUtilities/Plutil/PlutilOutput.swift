import Ferry

/// The output of a verb for one file: the file itself, another one, or the standard output.
struct PlutilOutput {
  /// The path of the output; `-` is the standard output.
  let path: String
  private let edit: InPlaceEdit?

  /// Chooses the output for a file. An edit in place begins before the file is read, so that it detects every conflicting
  /// write after that.
  init(of file: String, _ options: PlutilOptions, as format: PlutilFormat?) throws(PlutilError) {
    path = Self.path(for: file, options, as: format)
    guard path != "-", path.equals(file), Folder.hasSomething(at: file) else {
      edit = nil
      return
    }
    do throws(FerryError) {
      edit = try InPlaceEdit(of: file)
    } catch {
      throw PlutilError(PlutilError.unreadable(error))
    }
  }

  /// Creates the output for a new file, or one that it replaces.
  init(creating file: String) { (path, edit) = (file, nil) }

  private static func path(for file: String, _ options: PlutilOptions, as format: PlutilFormat?) -> String {
    if let output = options.output { return output }
    if file == "-" || format?.isText == true { return "-" }
    var path = file
    for name in [options.fileExtension, format?.addedExtension].compactMap({ $0 }) {
      path = Self.path(path, withExtension: name)
    }
    return path
  }

  /// Returns a path with another extension.
  static func path(_ path: String, withExtension name: String) -> String {
    let bytes = path.utf8
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? path.startIndex
    return "\(path[..<start])\(LiteralName.stem(of: String(path[start...]))).\(name)"
  }

  /// Writes the output as a whole, or not at all.
  func write(_ bytes: [UInt8]) throws(PlutilError) { try write(bytes, to: path, in: edit) }

  /// Writes another file beside the output.
  func write(_ bytes: [UInt8], withExtension name: String) throws(PlutilError) {
    try write(bytes, to: Self.path(path, withExtension: name), in: nil)
  }

  private func write(_ bytes: [UInt8], to path: String, in edit: InPlaceEdit?) throws(PlutilError) {
    do throws(NamedError) {
      // As Apple's utility, this one knows no compression.
      try NamedOutput.put(stored: bytes, at: path, replacing: true, in: edit)
    } catch {
      guard !Plutil.isClosedPipe(error) else { return }
      throw PlutilError("Could not write \(error.line)")
    }
  }
}
