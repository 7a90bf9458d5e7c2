import ArgumentParser
import Ferry

/// `ferry plistbuddy`: the utility `PlistBuddy` of macOS.
struct PlistBuddyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plistbuddy",
    abstract: "Read and change property lists with the commands of macOS's PlistBuddy.",
    discussion: """
      Scripts written for macOS run unchanged if PlistBuddy is a link to ferry. Commands, entries, messages and exit status are \
      those of PlistBuddy; ferry plistbuddy -h lists them. Without -c, commands are read from the standard input.

        ferry plistbuddy -c 'Print :CFBundleVersion' Info.plist
        ferry plistbuddy -c 'Set :CFBundleVersion 43' Info.plist
        ferry plistbuddy -c 'Add :Modes: string light' -c 'Print' Info.plist
        ferry plistbuddy -x -c 'Print :Modes' Info.plist

      Documentation/PropertyListUtilities.md lists the differences.
      """)

  @Argument(
    parsing: .captureForPassthrough, help: "Commands after -c, options, and a file.", completion: .file())
  var arguments: [String] = []

  func run() throws {
    // The argument parser passes its own options on, too.
    if PropertyListUtility.asksForHelp(arguments) { throw CleanExit.helpRequest(Self.self) }
    try PropertyListUtility.plistBuddy.run(arguments)
  }
}
