import Ferry

/// Versions of which git gives a text in place of a file with values: the target of a symbolic link, or the commit of a submodule.
///
///     ~ symbolic link: "a.json" → "b.json"
struct GitLinks {
  /// A version that is a link.
  private struct Link {
    /// Its kind in words.
    let kind: String
    /// The target of a symbolic link, or the line for a submodule without its end.
    let target: LinkTarget

    /// Reads the bytes that git gives for a version. Returns nil if the version is a file, or does not exist.
    init?(path: String, mode: String) throws(NamedError) {
      guard let kind = Self.kind(ofMode: mode) else { return nil }
      var bytes = try NamedError.naming(path) { () throws(FerryError) in
        try ProcessArguments.current.open(path).readAll()
      }
      if kind == Self.submodule, bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
      self.kind = kind
      target = LinkTarget(bytes)
    }

    private static let submodule = "submodule"

    private static func kind(ofMode mode: String) -> String? {
      switch mode {
      case "120000": "symbolic link"
      case "160000": submodule
      default: nil
      }
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
      guard old.target != new.target else { return "" }
      let words = old.target.shown(beside: new.target)
      return colors("~ \(old.kind): ", .number) + words.old + colors.colored(" → ", .faint) + words.new + "\n"
    }
    return (old.map { colors("- \($0.kind): ", .warning) + $0.target.shown() + "\n" } ?? "")
      + (new.map { colors("+ \($0.kind): ", .string) + $0.target.shown() + "\n" } ?? "")
  }
}
