import ArgumentParser
import Ferry

/// The command `ferry`: a list of subcommands.
@main
struct FerryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ferry",
    abstract: "Convert, show, edit and merge XML, JSON, property lists and keyed archives.",
    discussion: """
      Examples:
        ferry convert folks.xml --to json              XML as JSON
        ferry convert folks.xml -o people.pplgrp       an app's document, an archive
        ferry convert Things.mystuff --to json         a package, with its images
        ferry convert *.plist --to json --out-dir out  many files at once
        cat folks.xml | ferry convert --to jsonl       in a pipeline
        ferry show people.pplgrp                       a file as a readable tree
        ferry inspect people.pplgrp                    its objects, classes, keys
        ferry get people.pplgrp '[0].first'            one value
        ferry set people.pplgrp '[0].first' Ada        change it in place

      Exit status:
        0    success
        1    an input failed, a path selects nothing, or a merge has conflicts
        64   the command line is wrong
        130  interrupted

      --help-hidden after a command also lists the options that limit untrusted input.
      """,
    version: "0.1.0",
    subcommands: [
      ConvertCommand.self, ShowCommand.self, InspectCommand.self, GetCommand.self, SetCommand.self,
      InsertCommand.self, RemoveCommand.self, EditCommand.self,
      RenameCommand.self, MergeCommand.self, SeedCommand.self, FormatsCommand.self,
    ]
  )

  /// The command-line arguments. A negative number, which is a value and no option, is moved to where values
  /// are expected.
  private static var arguments: [String] {
    var arguments = Array(CommandLine.arguments.dropFirst())
    guard let command = arguments.first, command == "set" || command == "insert", !arguments.contains("--"),
      let index = arguments.lastIndex(where: { $0.hasPrefix("-") && $0.dropFirst().first?.isNumber == true })
    else { return arguments }
    let number = arguments.remove(at: index)
    return arguments + ["--", number]
  }

  static func main() async {
    StandardOutput.keepStandardStreams()
    Terminal.ignoreBrokenPipes()
    if let argument = Terminal.argumentNotUTF8 {
      StandardError.write(
        "\(argument): this name or value is not UTF-8, and Ferry takes no other (rename the file)")
      exit(withError: ExitCode.validationFailure)
    }
    let interruption = Interruption()
    let arguments = Self.arguments
    var isUnderstood = false
    do {
      try validateName(in: arguments)
      var command = try parseAsRoot(arguments)
      isUnderstood = true
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      // A command that finds a mistake only when it runs no longer knows its usage.
      let help = "See \"ferry help \(arguments.first ?? "")\"."
      let text =
        isUnderstood
        ? "Error: \(message(for: error))\n  \(help)" : Suggestion.corrected(fullMessage(for: error))
      for line in text.split(separator: "\n") { StandardError.write(String(line)) }
      exit(withError: ExitCode.validationFailure)
    }
    withExtendedLifetime(interruption) {}
  }

  /// Throws if there is no command with the first name, or with the name after `help`.
  private static func validateName(in arguments: [String]) throws {
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    let name = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
    guard let name, !name.hasPrefix("-"), !names.contains(name) else { return }
    let near = NearMiss.nearest(to: name, among: names).map { " (did you mean \"\($0)\"?)" }
    throw ValidationError("unknown command \"\(name)\"" + (near ?? " (\(names.joined(separator: ", ")))"))
  }
}
