import Ferry

/// A format in which `plutil` writes a value.
enum PlutilFormat: String {
  case xml1, binary1, json, openstep, swift, objc, raw, type

  /// Creates the format with a name. `NoConversion` means that of the file, which is nil.
  static func named(_ name: String) throws(PlutilError) -> PlutilFormat? {
    switch name {
    case "NoConversion": return nil
    case "openStep": return .openstep
    default:
      guard let format = PlutilFormat(rawValue: name) else {
        throw PlutilError("Unknown format specifier: \(name)")
      }
      return format
    }
  }

  /// Creates the format that a file has.
  init(of file: PropertyListFile) {
    switch file.format {
    case .binaryPropertyList: self = .binary1
    case .xmlPropertyList: self = .xml1
    case .json: self = .json
    // A strings file and an Xcode project have the same syntax.
    default: self = .openstep
    }
  }

  /// The extension of the files that a conversion creates beside the property list; nil if it replaces the property list.
  var addedExtension: String? {
    switch self {
    case .swift: "swift"
    case .objc: "m"
    default: nil
    }
  }

  /// The format of property lists that is written while the input is read; nil for the other formats.
  var streamedFormat: Format? {
    switch self {
    case .xml1: .xmlPropertyList
    case .binary1: .binaryPropertyList
    default: nil
    }
  }

  /// True if the text is for scripts, and goes to the standard output unless `-o` names a file.
  var isText: Bool { self == .raw || self == .type }
}
