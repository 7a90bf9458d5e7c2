import ArgumentParser
import Ferry

/// The option that accepts references to missing objects.
struct LenientOptions: ParsableArguments {
  @Flag(
    name: .customLong("lenient"),
    help: "Accept references to missing objects: read them as null, and keep them.")
  var isLenient = false
}

/// The form of the values that the paths of a command name.
protocol PathForm: ParsableArguments {
  /// The representation in which the file is opened.
  var openedAs: Representation { get }
}

/// The options for the values of a file that changes.
struct PathOptions: PathForm {
  @Option(
    name: .customLong("form"),
    help: ArgumentHelp(
      "plain: readable values; raw: an archive as it is stored.", valueName: "form"))
  var representation: PathRepresentation = .plain

  var openedAs: Representation { representation.representation }
}

/// The options for the values of a file that are read.
struct ReadPathOptions: PathForm {
  @Option(
    name: .customLong("form"),
    help: ArgumentHelp(
      "plain: readable values; typed: everything, to convert back exactly; raw: an archive as it is stored.",
      valueName: "form"))
  var representation: Representation = .plain

  /// True if the output is in the typed form.
  var isTyped: Bool { representation == .typed }

  /// The form of an archive through which the paths lead.
  var openedAs: Representation { isTyped ? .plain : representation }
}
