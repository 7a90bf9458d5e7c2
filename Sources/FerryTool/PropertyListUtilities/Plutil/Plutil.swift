import Ferry
import Synchronization

/// The utility `plutil`: checks, prints, converts and edits property lists.
enum Plutil {
  /// Runs the utility. Returns 0, or 1 if something failed.
  static func run(_ arguments: [String]) -> Int32 {
    do throws(PlutilError) {
      guard let name = arguments.first else { throw PlutilError("No files specified.") }
      guard name != "-help" else { return print(help) ? 0 : 1 }
      return try verb(named: name, arguments).run() ? 0 : 1
    } catch {
      StandardError.write(error.message)
      StandardError.write("  See \"plutil -help\".")
      return 1
    }
  }

  /// Returns the verb that the first argument names. Without a name, all arguments are those of `-lint`.
  private static func verb(named name: String, _ arguments: [String]) throws(PlutilError) -> any PlutilVerb {
    var rest = PlutilArguments(arguments.dropFirst())
    switch name {
    case "-lint": return try LintVerb(&rest)
    case "-convert": return try ConvertVerb(&rest)
    case "-p": return try PrintVerb(&rest)
    case "-insert": return try InsertVerb(&rest, isReplacing: false)
    case "-replace": return try InsertVerb(&rest, isReplacing: true)
    case "-remove": return try RemoveVerb(&rest)
    case "-extract": return try ExtractVerb(&rest)
    case "-type": return try ExtractVerb(typeIn: &rest)
    case "-create": return try CreateVerb(&rest)
    default:
      rest = PlutilArguments(arguments[...])
      return try LintVerb(&rest)
    }
  }

  /// Returns true if the standard output is redirected to none of the files that a run reads. Writes a message otherwise.
  static func readsNoOutput(_ inputs: [String]) -> Bool {
    do throws(NamedError) {
      try RunOutputs.checkReadsNone(of: inputs)
      return true
    } catch {
      StandardError.write(error.line)
      return false
    }
  }

  /// Writes text to the standard output. Returns false, after a message, if that fails.
  static func print(_ text: String) -> Bool { put(Array(text.utf8)) }

  /// Writes bytes to the standard output. Returns false, after a message, if that fails.
  static func put(_ bytes: [UInt8]) -> Bool {
    do throws(NamedError) {
      try NamedOutput.put(stored: bytes, at: "-", replacing: true)
      return true
    } catch {
      guard !isClosedPipe(error) else { return true }
      StandardError.write(error.line)
      return false
    }
  }

  /// True if the reader of an output has closed it. The run goes on without a message, because the rest may change files,
  /// and then ends as by the signal `SIGPIPE`.
  static var hasClosedPipe: Bool { closedPipes.load(ordering: .relaxed) > 0 }
  private static let closedPipes = Atomic(0)

  /// Returns true for the error of an output that its reader has closed, and counts it.
  static func isClosedPipe(_ error: NamedError) -> Bool {
    guard error.isClosedPipe else { return false }
    closedPipes.add(1, ordering: .relaxed)
    return true
  }

  static let help = """
    plutil: [verb] [options] file ...
    The file - is the standard input. The verb is -lint if none is given.

    Verbs:
      -help                         print this text
      -lint                         check the syntax of property lists
      -p                            print values to read (the layout may change)
      -convert FORMAT               write the file anew as xml1, binary1, json, openstep, swift or objc;
                                    swift and objc write a new file with a literal, and -convert objc
                                    -header also its header
      -extract KEYPATH FORMAT       write the value at a key path as xml1, binary1, json, openstep, or raw;
                                    with -expect TYPE, fail if it has another type
      -type KEYPATH                 print the type of the value at a key path, also with -expect TYPE
      -insert KEYPATH -TYPE VALUE   add a value; -append adds it to the array at the key path
      -replace KEYPATH -TYPE VALUE  set a value
      -remove KEYPATH               remove a value
      -create FORMAT                write an empty dictionary

    Key paths have keys and indices of arrays, joined by dots. A dot in a key has a backslash.
    Types after -expect: bool, integer, float, string, date, data, array, dictionary.
    Types of a new value: -bool, -integer, -float, -string, -date, -data (Base64), -xml and -json (with any
    value), and -array and -dictionary (empty, without a value).
    Raw values: text without quotation marks, dates in ISO 8601, data in Base64, the count of an array, the keys
    of a dictionary.

    Options after the verb:
      -o PATH                       write to another file; - is the standard output
      -e EXTENSION                  write to a file with another extension
      -r                            pretty-print JSON
      -n                            no line feed after a raw value
      -s                            print nothing about success
      --                            only files follow

    Without -o and -e, the verbs that write replace the file. -extract replaces it too, except in the format raw.
    The exit status is 0, or 1 if anything failed.

    """
}
