import Ferry

extension FerryError {
  /// The kind of a file that Ferry does not read; nil for other errors. In a folder such a file is not an
  /// error, because the user did not name it.
  var unreadKind: String? {
    switch reason {
    case .file(.otherKind(let kind, _)): kind
    case .file(.unknownFormat): "unknown"
    case .file(.empty): "empty"
    default: nil
    }
  }
}
