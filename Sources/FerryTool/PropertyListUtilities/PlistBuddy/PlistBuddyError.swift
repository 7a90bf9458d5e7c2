/// An error of a command of PlistBuddy. It has a message on one of the standard streams, as on macOS.
enum PlistBuddyError: Error {
  /// A message on the standard output: the command or its value is not valid.
  case said(String)
  /// A message on the standard error: the command has failed.
  case failed(String)
}
