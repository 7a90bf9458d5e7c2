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
    names = Self.all.names(for: argument) ?? [argument]
  }

  /// The arguments of this process.
  static let all = MarkedArguments(GitArguments.separated(ProcessArguments.current.texts))
}

extension [FileNames] {
  /// The names in order.
  var names: [String] { flatMap(\.names) }
}

/// Arguments in which markers replace the names of files.
struct MarkedArguments {
  private(set) var arguments: [String] = []
  /// The names that each marker replaces.
  private var replaced: [[String]] = []

  /// The commands that take any number of files.
  private static let commands = ["check", "convert", "find", "inspect", "rename", "schema", "show"]

  /// True if the arguments are those of a command that takes any number of files.
  let areOfManyFiles: Bool

  init(_ all: [String]) {
    areOfManyFiles =
      all.first == "schema"
      ? all.dropFirst().first.map(["check", "infer"].contains) == true
      : all.first.map(Self.commands.contains) == true
    // An unknown command of a group, and one without files, would get a marker as a word of its own.
    guard areOfManyFiles, let command = all.first else {
      arguments = all
      return
    }
    var rest = all[...]
    // The name of a command in a group follows that of the group.
    if command == "schema", let group = rest.popFirst() { arguments.append(group) }
    while let first = rest.popFirst() {
      arguments.append(first)
      // The argument after an option may be its value. Every argument after `--` is a name.
      guard first == "--" || !first.hasPrefix("-") else { continue }
      let names = first == "--" ? rest : rest.prefix { !$0.hasPrefix("-") }
      guard names.count > 1 else { continue }
      arguments.append(Self.marker(replaced.count))
      replaced.append(Array(names))
      rest = rest.dropFirst(names.count)
    }
  }

  /// Returns the names that a marker replaces, or nil for any other argument.
  func names(for argument: String) -> [String]? {
    replaced.indices.first { Self.marker($0) == argument }.map { replaced[$0] }
  }

  /// Returns a message of the argument parser, which may quote a marker, with the first name that the marker replaces.
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
