import ArgumentParser
import Ferry

/// The options for the differences that a comparison leaves out.
struct IgnoreOptions: ParsableArguments {
  @Option(
    name: .customLong("ignore"), parsing: .singleValue,
    help: ArgumentHelp(
      "Leave out the values for a key such as updated anywhere, or at a path such as people[*].updated. Repeatable.",
      valueName: "path"))
  var values: [PathArgument] = []

  @Flag(name: .customLong("ignore-order"), help: "Compare lists without the order of their elements.")
  var order = false

  func validate() throws { _ = try differences() }

  /// Returns the differences that are left out.
  func differences() throws -> IgnoredDifferences {
    var ignored = IgnoredDifferences()
    ignored.order = order
    ignored.values = try values.map(Self.values)
    return ignored
  }

  /// Returns the values of an argument. A single key is one at any depth, unless the notation of a path says that it is at the root.
  private static func values(of argument: PathArgument) throws -> IgnoredDifferences.Values {
    let path = try argument.path()
    guard case .key(let key)? = path.steps.last else {
      throw ValidationError(
        "--ignore takes a key, or a path that ends in a key, such as people[*].updated, not \(argument.text)")
    }
    let isAtRoot = [".", "$.", "$[", "/", "#/", ":"].contains { argument.text.utf8.starts(with: $0.utf8) }
    return path.steps.count > 1 || isAtRoot ? .path(path) : .key(key)
  }

  /// Returns a line for each of the values that no file has, which may be a mistake.
  static func lines(aboutUnused values: [IgnoredDifferences.Values]) -> [String] {
    values.map { values in
      switch values {
      case .key(let key): "--ignore \(MessageText.quoted(key)) has no effect: neither file has this key"
      case .path(let path) where path.steps.count == 1:
        "--ignore \(MessageText.quoted(".\(path)")) has no effect: neither file has this key at its root"
          + " (without the dot, it is a key at any depth)"
      case .path(let path):
        "--ignore \(MessageText.quoted(path.description)) has no effect: neither file has a value there"
          + (advice(aboutStarsIn: path).map { " (\($0))" } ?? "")
      }
    }
  }

  /// Returns how to write a path such as `meta.*` and `*.updated`, in which a star is a key; nil for other paths.
  private static func advice(aboutStarsIn path: ValuePath) -> String? {
    let areStars = path.steps.map { $0 == .key("*") || $0 == .key("**") }
    if areStars.dropLast().contains(true) {
      return "write [*] for every element of a list or value of a dictionary"
    }
    guard areStars.last == true else { return nil }
    return "\(ValuePath(Array(path.steps.dropLast()))) leaves out all of its entries"
  }
}
