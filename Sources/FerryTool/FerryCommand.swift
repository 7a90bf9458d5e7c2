import ArgumentParser
import Ferry

/// The command `ferry`: a list of subcommands.
@main
struct FerryCommand: ParsableCommand {
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
        ferry check folks.xml --schema person          is it well-formed, and valid?
        ferry find Neuburg people.pplgrp               where a text occurs
        ferry diff folks.xml people.pplgrp             the values that differ
        ferry get people.pplgrp '[0].first'            one value
        ferry set people.pplgrp '[0].first' Ada        change it in place

      Exit status:
        0    success
        1    an input failed, there is no value at a path, nothing was found,
             files differ, or a merge has conflicts
        2    ferry diff cannot compare the files, or ferry find cannot search a file
        64   the command line is wrong
        130  interrupted
        141  the program that reads the output has closed it

      "ferry help TOPIC" explains paths, forms, schemas and reports.
      --help-hidden after a command also lists the options that limit untrusted input.
      """,
    version: Version.text,
    subcommands: [
      ConvertCommand.self, ShowCommand.self, InspectCommand.self, CheckCommand.self, FindCommand.self,
      DiffCommand.self, PatchCommand.self, GetCommand.self, SetCommand.self,
      InsertCommand.self, RemoveCommand.self, MoveCommand.self, CopyCommand.self, EditCommand.self,
      RenameCommand.self, MergeCommand.self, SeedCommand.self, SchemaCommand.self, FormatsCommand.self,
      PlutilCommand.self, PlistBuddyCommand.self,
    ]
  )

  /// The command-line arguments, in which a marker takes the place of a file if there is a list of files, a negative number as a value is
  /// after `--`, and markers replace the arguments of which there may be many.
  private static let arguments = FileNames.all.arguments

  /// The commands that git gives names of files as they are. They refuse other arguments that are not UTF-8 themselves.
  private static let commandsOfGit = ["diff", "merge"]

  /// The first argument that names a file and would be taken for options: `-dash.json` has an `h`, and would
  /// print the help.
  private static var fileTakenForOptions: String? {
    arguments.prefix { $0 != "--" }.first { argument in
      argument.count > 2 && argument.hasPrefix("-") && !argument.hasPrefix("--")
        && Folder.hasSomething(at: argument)
    }
  }

  static func main() {
    StandardOutput.keepStandardStreams()
    Terminal.ignoreSignalsOfWrites()
    if Terminal.explainsErrors { KeptStandardInput.keep(upTo: 4 << 20) }
    let invoked = PropertyListUtility.invoked(by: CommandLine.arguments)
    // A command that takes many files continues with those whose names are UTF-8.
    let takesAnyNames =
      invoked == nil
      && (FileNames.all.areOfManyFiles || Self.commandsOfGit.contains(Self.arguments.first ?? ""))
    if !takesAnyNames, let argument = ProcessArguments.current.notUTF8 {
      guard invoked == nil else { endUtility("\(argument): the argument is not UTF-8") }
      end(["\(argument): \(ProcessArguments.notUTF8Problem)"])
    }
    if invoked == nil, let name = fileTakenForOptions {
      end(["\(name): a file name that begins with \"-\" is taken for options (write ./\(name))"])
    }
    // Scripts ask for the version often, and the argument parser would build all commands first.
    let arguments = arguments
    switch arguments.first {
    case "--version", "-V", "version":
      if arguments.count == 1 { end(printing: Version.text) }
    case "help":
      if arguments.count == 2, let topic = HelpTopic(name: arguments[1]) { end(printing: topic.text) }
    default: break
    }
    let interruption = Interruption()
    LockWait.reportFolders { folder in
      let name = MessageText.quoted(folder, limit: .max)
      StandardError.write("waiting for another program, which has locked the folder \(name)")
    }
    do {
      if let invoked { try invoked.utility.run(invoked.arguments) }
      try run()
    } catch {
      end(with: error)
    }
    withExtendedLifetime(interruption) {}
  }

  private static func run() throws {
    try validateName(in: arguments)
    var command = try parse(arguments)
    do {
      try RepeatedOption.check(arguments, of: type(of: command))
      try command.run()
    } catch let error where exitCode(for: error) == .validationFailure && !(error is ExitCode) {
      throw LateValidationError(message: message(for: error))
    }
  }

  /// Returns the command of a command line, with its options.
  private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    // From the root, the argument parser builds the root and then the command twice, which takes most of a short run.
    // The messages of mistakes, and the help, name the commands around the command.
    if let (type, rest) = commandAlone(in: arguments), let command = try? type.parseAsRoot(rest),
      Swift.type(of: command) == type
    {
      return command
    }
    return try parseAsRoot(arguments)
  }

  /// Returns the command that a command line names, unless it is a list of commands, and the arguments after its name.
  private static func commandAlone(in arguments: [String]) -> (any ParsableCommand.Type, [String])? {
    var (type, rest): (any ParsableCommand.Type, _) = (Self.self, arguments[...])
    while !type.configuration.subcommands.isEmpty {
      guard let name = rest.popFirst(),
        let inner = type.configuration.subcommands.first(where: { $0.configuration.commandName == name })
      else { return nil }
      type = inner
    }
    return (type, Array(rest))
  }

  /// A mistake in the command line that a command finds only when it runs.
  private struct LateValidationError: Error {
    let message: String
  }

  /// Ends the process: reports the error of a command, or prints what the argument parser throws as an error,
  /// too: help and the version.
  private static func end(with error: any Error) -> Never {
    switch error {
    case let error as NamedError: end(with: error)
    case let status as ExitCode:
      if status == .closedPipe { Terminal.endAfterBrokenPipe() }
      exit(withError: status)
    case let error as LateValidationError:
      // The command no longer knows its usage.
      end([
        "Error: \(FileNames.all.naming(in: error.message))", "  See \"ferry help \(arguments.first ?? "")\".",
      ])
    case let error where exitCode(for: error) == .success: end(printing: fullMessage(for: error))
    case let error where exitCode(for: error) == .validationFailure:
      let message = Suggestion.corrected(fullMessage(for: error), for: FileNames.all.named)
      end(FileNames.all.naming(in: message).split(separator: "\n").map(String.init))
    default: exit(withError: error)
    }
  }

  /// Ends the process after reporting the error of a command.
  private static func end(with error: NamedError) -> Never {
    let errors = RunErrors()
    errors.add(error)
    if errors.isPipeClosed { Terminal.endAfterBrokenPipe() }
    do throws(ExitCode) {
      try errors.finish()
      exit(withError: ExitCode.failure)
    } catch {
      exit(withError: error)
    }
  }

  /// Ends the process after printing a text.
  private static func end(printing text: String) -> Never {
    do throws(NamedError) {
      try NamedOutput.print(text + "\n")
      exit(withError: nil)
    } catch {
      end(with: error)
    }
  }

  /// Ends the process with the message of a mistake in the command line.
  private static func end(_ message: [String]) -> Never {
    message.forEach(StandardError.write)
    exit(withError: ExitCode.validationFailure)
  }

  /// Ends the process with the message of a mistake in the command line of a property list utility, which has one status for all errors.
  private static func endUtility(_ message: String) -> Never {
    StandardError.write(message)
    exit(withError: ExitCode.failure)
  }

  /// Returns true for the name of a command in another tool, and for a name that differs from that of a command in few letters.
  static func isNearCommand(_ name: String) -> Bool {
    CommandHabit.command(for: name, among: commandNames) != nil
  }

  /// Returns true for the name of a command, and for the commands of the argument parser.
  static func isName(_ name: String) -> Bool { (commandNames + ["help", "version"]).contains(name) }

  private static var commandNames: [String] {
    configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  /// Throws if the first argument names no command, if the one after `help` names no command and no topic, or if the one after the name
  /// of a group names no command in it.
  private static func validateName(in arguments: [String]) throws {
    let missing =
      arguments.isEmpty ? MissingCommand.messageAboutInput : MissingCommand.message(about: arguments)
    if let missing { throw ValidationError(missing) }
    let isOfHelp = arguments.first == "help"
    let name = isOfHelp ? arguments.dropFirst().first : arguments.first
    guard let name, !name.hasPrefix("-") else { return }
    let topics = isOfHelp ? HelpTopic.allCases.map(\.rawValue) : []
    guard commandNames.contains(name) || topics.contains(name) else {
      throw ValidationError(CommandHabit.message(about: name, among: commandNames, topics: topics))
    }
    try validateNameInGroup(isOfHelp ? arguments.dropFirst() : arguments[...])
  }

  private static func validateNameInGroup(_ arguments: ArraySlice<String>) throws {
    guard let group = arguments.first, let name = arguments.dropFirst().first, !name.hasPrefix("-"),
      let type = configuration.subcommands.first(where: { $0.configuration.commandName == group })
    else { return }
    let names = type.configuration.subcommands.compactMap { $0.configuration.commandName }
    guard !names.isEmpty, name != "help", !names.contains(name) else { return }
    throw ValidationError(CommandHabit.message(about: name, among: names, in: group))
  }
}
