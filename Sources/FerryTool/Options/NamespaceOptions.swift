import ArgumentParser
import Ferry

/// The option for the prefixes in an XPath.
struct NamespaceOptions: ParsableArguments {
  @Option(
    name: .customLong("ns"), parsing: .singleValue,
    help: ArgumentHelp(
      "The namespace of a prefix in an XPath, such as a=http://www.w3.org/2005/Atom.",
      valueName: "prefix=uri"),
    transform: NamespaceBinding.init(parsing:))
  var bindings: [NamespaceBinding] = []

  func validate() throws {
    let prefixes = prefixes
    for binding in bindings {
      guard let namespace = prefixes[binding.prefix], !namespace.equals(binding.namespace) else { continue }
      throw RepeatedOption.problem("--ns \(binding.prefix)", namespace, binding.namespace)
    }
  }

  /// Throws if prefixes are given, and none of the arguments may be an XPath. For several files, also throws if one of the arguments is an XPath
  /// that is not valid, which would be an error of each file.
  func check(for arguments: [PathArgument], in files: some SeveralFiles) throws {
    if files.areSeveral { for argument in arguments { try argument.check(prefixes) } }
    guard bindings.isEmpty || arguments.contains(where: \.mayBeXPath) else {
      throw ValidationError("--ns needs an XPath, such as //name, which is for XML")
    }
  }

  /// The namespaces of prefixes.
  var prefixes: [String: String] { Self.prefixes(of: bindings) }

  /// Returns the namespaces by their prefixes.
  static func prefixes(of bindings: [NamespaceBinding]) -> [String: String] {
    Dictionary(bindings.map { ($0.prefix, $0.namespace) }) { first, _ in first }
  }
}
