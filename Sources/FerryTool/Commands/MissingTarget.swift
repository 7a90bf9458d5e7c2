import Ferry

/// The likely meaning of a command line of `convert` without the format of the output.
enum MissingTarget {
  /// Returns how to write the format: one of the names is that of a format, the last name is that of the output, or an option for the layout
  /// was given alone. Returns nil for other command lines.
  ///
  /// - Parameters:
  ///   - names: The names of the inputs.
  ///   - layoutOption: The first option for the layout of the output, if there is one.
  static func lead(of names: [String], _ layoutOption: String?) -> String? {
    let missing = names.filter { $0 != "-" && !Folder.hasSomething(at: $0) }
    if let name = missing.last(where: { Format(name: $0) != nil }) {
      return "\(MessageText.quoted(name)) is taken for a file (write --to \(name))"
    }
    if names.count > 1, let last = missing.last, last.equals(names[names.count - 1]),
      Format.ofFile(named: last) != nil
    {
      return "\(MessageText.quoted(last)) is taken for an input (write -o \(last))"
    }
    guard let layoutOption, names.count == 1, let format = Format.ofFile(named: names[0]), format.canWrite
    else { return nil }
    return "\(layoutOption) needs --to FORMAT (--to \(format.rawValue) keeps the format of \(names[0]))"
  }
}
