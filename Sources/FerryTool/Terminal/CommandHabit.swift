import Ferry

/// The names that commands have in other tools, and the answers to them.
enum CommandHabit {
  /// The commands for names that they have in other tools.
  private static let otherNames = [
    "add": "insert", "append": "insert", "cat": "show", "clone": "copy", "compare": "diff",
    "count": "inspect", "cp": "copy", "decode": "convert", "del": "remove", "delete": "remove",
    "detect": "inspect", "dump": "show", "duplicate": "copy", "encode": "convert", "export": "convert",
    "extract": "get", "grep": "find", "identify": "inspect", "import": "convert", "info": "inspect",
    "lint": "check", "mv": "move", "open": "show", "print": "show", "put": "set", "query": "get",
    "read": "get", "replace": "set", "rm": "remove", "search": "find", "select": "get", "to": "convert",
    "transform": "convert", "tree": "show", "unset": "remove", "update": "set", "validate": "check",
    "verify": "check", "view": "show", "write": "set",
  ]

  private static let layout = "\"ferry convert FILE --to FORMAT --pretty\" lays out a text"
  private static let compact = "\"ferry convert FILE --to json --compact\" writes JSON on one line"
  private static let newFile = "\"ferry convert -o FILE\" makes a file from the standard input"

  /// Ways to do the work of commands of other tools that is an option or a part of another command.
  private static let works = [
    "sort": "\"ferry convert FILE --to FORMAT --sort-keys\" sorts the keys",
    "fmt": layout, "format": layout, "pretty": layout, "prettify": layout, "beautify": layout, "tidy": layout,
    "minify": compact, "compact": compact,
    "join": ConvertCommand.joining, "concat": ConvertCommand.joining, "combine": ConvertCommand.joining,
    "split": "\"ferry get FILE PATH -o PART\" writes one part",
    "new": newFile, "create": newFile, "touch": newFile,
    "keys": "\"ferry get FILE PATH --keys\" prints the keys",
    "length": "\"ferry get FILE PATH --count\" prints the number of elements",
    "type": "\"ferry get FILE PATH --type\" prints the type of a value",
    "xpath": "\"ferry convert FILE --select XPATH --to FORMAT\" selects elements",
    "completion": "\"ferry --generate-completion-script bash\" prints it, also for zsh and fish",
    "completions": "\"ferry --generate-completion-script bash\" prints it, also for zsh and fish",
    "man": "\"ferry help COMMAND\" explains a command",
  ]

  /// The topics of the help for other words.
  private static let otherTopics = [
    "path": "paths", "xpath": "paths", "jsonpath": "paths", "pointer": "paths", "typed": "forms",
    "report": "reports", "losses": "reports", "errors": "reports",
  ]

  /// Returns the command that is named so in another tool, or whose name differs in few letters.
  static func command(for name: String, among names: [String]) -> String? {
    otherNames[name].flatMap { names.contains($0) ? $0 : nil } ?? NearMiss.nearest(to: name, among: names)
  }

  /// Returns how to do the work of a command of another tool: `sort`, or `xml2json`.
  static func work(of name: String) -> String? {
    if let work = works[name] { return work }
    if Format(name: name) != nil { return writing(name) }
    for separator in ["2", "-to-", "to"] {
      guard let range = name.firstRange(of: separator),
        Format(name: String(name[..<range.lowerBound])) != nil,
        case let target = String(name[range.upperBound...]), Format(name: target) != nil
      else { continue }
      return writing(target)
    }
    return nil
  }

  private static func writing(_ format: String) -> String {
    "\"ferry convert FILE --to \(format)\" writes the format"
  }

  /// Returns the message about a name that no command has.
  ///
  /// - Parameters:
  ///   - names: The names of the commands.
  ///   - group: The group with these commands, or nil for all commands of the tool.
  ///   - topics: The topics of the help, if it is asked for.
  static func message(
    about name: String, among names: [String], in group: String? = nil, topics: [String] = []
  ) -> String {
    let prefix = group.map { "\($0) " } ?? ""
    let problem = "unknown command \(MessageText.quoted(prefix + name))"
    // A topic comes first: `path` has as many mistakes for `patch` as for `paths`.
    let topic = otherTopics[name] ?? NearMiss.nearest(to: name, among: topics + names)
    if let topic, topics.contains(topic) { return "\(problem) (did you mean \"\(topic)\"?)" }
    if !topics.isEmpty, Format(name: name) != nil {
      return "\(problem) (ferry formats lists the formats, and ferry help convert explains their options)"
    }
    let near = command(for: name, among: names)
    if group == nil, topics.isEmpty || near == nil, let work = work(of: name) {
      return "\(problem) (\(work))"
    }
    if group == nil, HelpTopic(name: name) != nil, !names.contains(String(name.dropLast())) {
      return "\(problem) (see \"ferry help \(name)\")"
    }
    if let near {
      return "\(problem) (did you mean \"\(prefix)\(near)\"?)"
    }
    return "\(problem) (try: \((names + topics).joined(separator: ", ")))"
  }
}
