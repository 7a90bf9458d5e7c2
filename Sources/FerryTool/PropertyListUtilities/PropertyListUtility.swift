import ArgumentParser
import Ferry

/// A utility with the command line of one on macOS, whose options begin with a single dash. The argument parser of the other
/// commands cannot read them.
enum PropertyListUtility: String, CaseIterable {
  case plutil
  case plistBuddy = "plistbuddy"

  /// Creates the utility with a name, ignoring case: `PlistBuddy`.
  init?(name: some StringProtocol) { self.init(rawValue: name.lowercased()) }

  /// Returns the utility that a command line runs, with its arguments. The program runs as a utility if it is called by the
  /// utility's name (`ln -s ferry plutil`), or if its first argument is the name.
  static func invoked(by line: [String]) -> (utility: PropertyListUtility, arguments: [String])? {
    guard let program = line.first?.namesInPath.last else { return nil }
    let arguments = Array(line.dropFirst())
    if let utility = PropertyListUtility(name: program) { return (utility, arguments) }
    guard let name = arguments.first, let utility = PropertyListUtility(rawValue: name) else { return nil }
    let own = Array(arguments.dropFirst())
    return asksForHelp(own) ? nil : (utility, own)
  }

  /// Returns true for the arguments that ask for the help of a command of ferry, which describes the utility for a user of
  /// ferry. `-help` and `-h` are options of the utilities themselves.
  static func asksForHelp(_ arguments: [String]) -> Bool {
    ["--help", "--help-hidden"].contains(arguments.first ?? "")
  }

  /// Runs the utility. Throws its exit status.
  func run(_ arguments: [String]) throws(ExitCode) {
    let status =
      switch self {
      case .plutil: Plutil.run(arguments)
      case .plistBuddy: PlistBuddy.run(arguments)
      }
    throw Plutil.hasClosedPipe ? .closedPipe : ExitCode(status)
  }
}
