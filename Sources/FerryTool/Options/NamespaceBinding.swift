import ArgumentParser

/// A rule of `--ns`: `atom=http://www.w3.org/2005/Atom`.
struct NamespaceBinding {
  let prefix: String
  let namespace: String

  init(parsing text: String) throws(ValidationError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw ValidationError("expected a prefix and its namespace, as in atom=http://www.w3.org/2005/Atom")
    }
    (prefix, namespace) = (String(parts[0]), String(parts[1]))
  }
}
