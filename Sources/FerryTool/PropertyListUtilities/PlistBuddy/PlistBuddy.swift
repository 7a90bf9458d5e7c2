import Ferry

/// The utility `PlistBuddy`: reads and changes the entries of a property list by commands.
struct PlistBuddy {
  private var commands: [String] = []
  private var showsXML = false
  private var followsLinks = true
  private var showsHelp = false
  private var files: [String] = []

  /// Runs the utility. Returns 0, or 1 if something failed.
  static func run(_ arguments: [String]) -> Int32 {
    guard let utility = PlistBuddy(arguments) else {
      _ = Plutil.print(usage)
      return 1
    }
    return utility.run() ? 0 : 1
  }

  /// Reads the arguments. Fails if `-c` has no command, and for an unknown option.
  private init?(_ arguments: [String]) {
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      switch argument {
      case "-c":
        guard let command = rest.next() else { return nil }
        commands.append(command)
      case "-x": showsXML = true
      case "-l": followsLinks = false
      case "-h", "-help", "--help": showsHelp = true
      default:
        guard !argument.hasPrefix("-") else { return nil }
        files.append(argument)
      }
    }
  }

  /// Returns true if everything succeeded.
  private func run() -> Bool {
    if showsHelp { return Plutil.print(Self.help) && !files.isEmpty }
    guard let file = files.first else {
      _ = Plutil.print(Self.usage)
      return false
    }
    guard files.count == 1 else {
      _ = Plutil.print("Invalid Arguments\n\n")
      return false
    }
    guard Plutil.readsNoOutput(commands.isEmpty ? [file, "-"] : [file]) else { return false }
    // Commands of a user take long, so that no lock is held meanwhile.
    let session = PlistBuddySession(
      of: file, followsLinks: followsLinks, showsXML: showsXML,
      beginning: commands.isEmpty ? .watching : .locking)
    guard let session else { return false }
    return commands.isEmpty ? session.runInteractively() : session.run(commands)
  }

  private static let usage = """
    Usage: PlistBuddy [-cxlh] <file.plist>
        -c "<command>" run a command, and the others after -c, and save; without -c, commands are read
           from the standard input
        -x print values as XML property lists
        -l do not follow a symbolic link
        -h print the commands, and how to name an entry


    """

  static let help = """
    Command Format:
        Help - Prints this text
        Exit - Ends without saving; after -c, it does nothing
        Save - Saves the file
        Revert - Reads the saved file again
        Clear [<Type>] - Replaces everything by an empty value of a type
        Print [<Entry>] - Prints an entry, or everything
        Set <Entry> <Value> - Changes the value of an entry
        Add <Entry> <Type> [<Value>] - Adds an entry
        Copy <EntrySrc> <EntryDst> - Adds a copy of an entry
        Delete <Entry> - Deletes an entry
        Merge [-r] <file.plist> [<Entry>] - Adds what a file has and the entry lacks; -r in collections too
        Import <Entry> <file> - Makes an entry of the bytes of a file
        CD <Entry> - Names a collection for entries without a colon at the beginning

    Entry Format:
        An entry has the keys of dictionaries and the indices of arrays, after colons. An array has its first
        element at 0; a colon at the end adds an element. A colon in a key has a backslash. Quotation marks
        hold an entry with spaces together.
            :CFBundleShortVersionString
            :CFBundleDocumentTypes:2:CFBundleTypeExtensions
            ":a key":'another key'

    Types:
        string array dict bool real integer date data

    Examples:
        Set :CFBundleIdentifier com.example.app
        Add :CFBundleGetInfoString string "App version 1.0.1"
        Add :CFBundleDocumentTypes: dict
        Add :CFBundleDocumentTypes:0 dict
        Delete :CFBundleDocumentTypes:0


    """
}
