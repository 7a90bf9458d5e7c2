import Ferry

/// Versions of which git gives a text in place of a file with values: the target of a symbolic link, or the commit of a submodule.
///
///     ~ symbolic link: "a.json" → "b.json"
struct GitLinks {
  /// A version that is a link.
  private struct Link {
    /// Its kind in words.
    let kind: String
    let text: String

    /// Reads the text that git gives for a version. Returns nil if the version is a file, or does not exist.
    init?(path: String, mode: String) throws(NamedError) {
      guard let kind = Self.kind(ofMode: mode) else { return nil }
      let bytes = try NamedError.naming(path) { () throws(FerryError) in
        try ProcessArguments.current.open(path).readAll()
      }
      self.kind = kind
      text = String(decoding: bytes, as: UTF8.self)
    }

    private static func kind(ofMode mode: String) -> String? {
      switch mode {
      case "120000": "symbolic link"
      case "160000": "submodule"
      default: nil
      }
    }

    /// The text in quotation marks. Its line end, which a submodule has, is left out.
    var shown: String {
      let line = text.last?.isNewline == true ? text.dropLast() : text[...]
      return quotedForMessage(line, limit: 4096)
    }
  }

  private let old, new: Link?
  var isOld: Bool { old != nil }
  var isNew: Bool { new != nil }

  /// Reads the versions that are links. Returns nil if none is.
  ///
  /// - Parameter modes: The modes of the versions, as git gives them.
  init?(old: String, new: String, modes: (old: String, new: String)) throws(NamedError) {
    self.old = try Link(path: old, mode: modes.old)
    self.new = try Link(path: new, mode: modes.new)
    guard self.old != nil || self.new != nil else { return nil }
  }

  /// Returns the lines about the links.
  func lines(_ colors: Colors) -> String {
    if let old, let new, old.kind == new.kind {
      guard old.text != new.text else { return "" }
      return colors("~ \(old.kind): ", .number) + old.shown + colors.colored(" → ", .faint) + new.shown + "\n"
    }
    return (old.map { colors("- \($0.kind): ", .warning) + $0.shown + "\n" } ?? "")
      + (new.map { colors("+ \($0.kind): ", .string) + $0.shown + "\n" } ?? "")
  }
}
