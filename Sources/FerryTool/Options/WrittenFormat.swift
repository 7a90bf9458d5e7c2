import ArgumentParser
import Ferry

/// `--to json`: help and completion list only the formats that Ferry writes.
struct WrittenFormat: ExpressibleByArgument {
  let format: Format

  init?(argument: String) {
    guard let format = Format(name: argument) else { return nil }
    self.format = format
  }

  /// The names in help and completion.
  static var allValueStrings: [String] { Format.written.map(\.rawValue) }

  /// The advice about a ZIP archive as the output.
  static let insteadOfArchive = "write a file, or a package as a folder, and pack it"

  /// Throws if Ferry does not write a format; the message lists the names that `--to` takes.
  static func check(_ format: Format, names: [String] = allValueStrings) throws(ValidationError) {
    guard !format.canWrite else { return }
    guard !format.isDatabase else {
      throw ValidationError("writing sqlite is not supported by this build (its package trait SQLite is off)")
    }
    guard !format.isArchiveOfFiles else {
      throw ValidationError("writing \(format.rawValue) is not supported (\(insteadOfArchive))")
    }
    throw ValidationError(
      "writing \(format.rawValue) is not supported (try: \(names.joined(separator: ", ")))")
  }
}
