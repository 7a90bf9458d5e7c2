import ArgumentParser

/// The names of files in an argument: one name, or those that a marker replaces.
///
/// The time of the argument parser grows with the square of the number of arguments. Of many names in a row, it gets
/// only a marker.
///
///     convert --to json a.xml b.xml c.xml     →     convert --to json MARKER
struct FileNames: ExpressibleByArgument {
  let names: [String]

  init?(argument: String) {
    names = Self.all.texts(for: argument) ?? [argument]
  }

  /// The arguments of this process.
  static let all = MarkedArguments(GitArguments.separated(ProcessArguments.current.texts))
}

extension [FileNames] {
  /// The names in order.
  var names: [String] { flatMap(\.names) }
}

/// Arguments in which markers replace the names of files, and paths and values if there are many.
struct MarkedArguments {
  private(set) var arguments: [String] = []
  /// The arguments for messages about them.
  let named: [String]
  /// The arguments that each marker replaces.
  private var replaced: [[String]] = []

  /// The commands that take any number of files.
  private static let commands = ["check", "convert", "find", "inspect", "rename", "schema", "show"]

  /// Returns the number of the arguments that are not options before the paths, and values, of which a command takes any number.
  ///
  /// A switch: a dictionary makes the Swift runtime look through all conformances, most of what `ferry --version` takes.
  private static func argumentsBeforePaths(of command: String) -> Int? {
    switch command {
    case "get": 1
    case "remove": 2
    case "set", "insert": 3
    default: nil
    }
  }

  /// The number of paths and values that keep arguments of their own, which messages of the argument parser may quote.
  private static let mostPaths = 64

  /// True if the arguments are those of a command that takes any number of files.
  let areOfManyFiles: Bool

  init(_ given: [String]) {
    let all = ListedFiles.marked(given)
    areOfManyFiles =
      all.first == "schema"
      ? all.dropFirst().first.map(["check", "infer"].contains) == true
      : all.first.map(Self.commands.contains) == true
    let leading = all.first.flatMap(Self.argumentsBeforePaths)
    // An unknown command of a group, and one without files, would get a marker as a word of its own.
    guard areOfManyFiles || leading != nil else {
      (arguments, named) = (all, given)
      return
    }
    let least = leading == nil ? 2 : Self.mostPaths + 1
    // A negative number as a value is after `--`.
    var rest = NegativeValue.separated(all)[...]
    // The name of a command in a group follows that of the group.
    if all.first == "schema", let group = rest.popFirst() { arguments.append(group) }
    while let first = rest.popFirst() {
      arguments.append(first)
      // The argument after an option may be its value. Every argument after `--` is a name or a path.
      guard first == "--" || !first.hasPrefix("-") else { continue }
      let row = first == "--" ? rest : rest.prefix { !$0.hasPrefix("-") }
      let marked = row.dropFirst(leading ?? 0)
      guard marked.count >= least else { continue }
      arguments += row.prefix(leading ?? 0) + [Self.marker(replaced.count)]
      replaced.append(Array(marked))
      rest = rest.dropFirst(row.count)
    }
    named = areOfManyFiles ? arguments : given
  }

  /// Returns the arguments that a marker replaces, or nil for any other argument.
  func texts(for argument: String) -> [String]? {
    replaced.indices.first { Self.marker($0) == argument }.map { replaced[$0] }
  }

  /// Returns a message of the argument parser, which may quote a marker, with the first argument that the marker replaces.
  func naming(in message: String) -> String {
    guard message.utf8.contains(0) else { return message }
    // The marker 1 is also the beginning of the marker 10.
    return replaced.indices.reversed().reduce(message) { message, index in
      message.replacing(Self.marker(index), with: replaced[index].first ?? "")
    }
  }

  /// No argument of a process contains a zero byte.
  private static func marker(_ index: Int) -> String { "\0\(index)" }
}
