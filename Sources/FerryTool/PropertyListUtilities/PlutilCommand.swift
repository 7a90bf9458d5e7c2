import ArgumentParser
import Ferry

/// `ferry plutil`: the utility `plutil` of macOS.
struct PlutilCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plutil",
    abstract: "Check, convert and edit property lists with the command line of macOS's plutil.",
    discussion: """
      Scripts written for macOS run unchanged if plutil is a link to ferry. Verbs, key paths, messages and exit status are those \
      of plutil; ferry plutil -help lists them.

        ferry plutil Info.plist                      check the syntax
        ferry plutil -p Info.plist                   print it
        ferry plutil -convert json -o - Info.plist   print it as JSON
        ferry plutil -extract CFBundleName raw Info.plist
        ferry plutil -replace CFBundleVersion -string 42 Info.plist
        ferry plutil -insert Modes.0 -string dark Info.plist

      Like plutil, -convert, -insert, -replace, -remove and -extract (except in the formats raw and type) replace the file unless -o names \
      another one, and write it anew: ferry set keeps comments and the layout. \
      Documentation/PropertyListUtilities.md lists the differences.
      """)

  @Argument(
    parsing: .captureForPassthrough, help: "A verb with its options, and files.", completion: .file())
  var arguments: [String] = []

  func run() throws {
    // The argument parser passes its own options on, too.
    if PropertyListUtility.asksForHelp(arguments) { throw CleanExit.helpRequest(Self.self) }
    try PropertyListUtility.plutil.run(arguments)
  }
}
