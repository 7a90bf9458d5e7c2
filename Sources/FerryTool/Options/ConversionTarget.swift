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
      case .format(let format): format.extensions.first ?? (format.canRead ? nil : "txt")
      case .document(let type): type.extensions.first
      }
    return given ?? "plist"
  }
}
