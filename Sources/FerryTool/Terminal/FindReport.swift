import Ferry

/// The output of `ferry find`: a line for each match, and the numbers of files.
final class FindReport {
  enum Style {
    /// The file, the path and the value of each match.
    case matches
    /// The names of the files with matches, or of those without, each followed by the terminator. Names are escaped only on a terminal, and
    /// neither escaped nor colored if the terminator is a zero byte, because other programs open the files.
    case names(haveMatches: Bool, terminator: Character)
    /// The number of matches in each file.
    case counts
    /// A JSON object for each match.
    case json
    /// Nothing: the exit status tells if anything was found.
    case nothing
  }

  /// The errors of the inputs.
  let errors = RunErrors()
  let output = NamedOutput.standard
  /// True if there may be several files, so that each line begins with the file.
  var hasMany = false
  /// True if there was a match or, if the names of files without matches are printed, a file without one.
  private(set) var hasFound = false
  private let style: Style
  private let colors: Colors
  private var name = ""
  private var count = 0
  private var (searchedCount, otherFileCount) = (0, 0)

  init(_ style: Style, colors: Colors) { (self.style, self.colors) = (style, colors) }

  /// Begins the matches of a file.
  func begin(_ name: String) { (self.name, count) = (name, 0) }

  /// Adds a match, and prints it.
  func add(_ match: ValueSearch.Match) throws(FerryError) {
    count += 1
    switch style {
    case .matches: try write(line(for: match))
    case .json: try write(entry(for: match))
    case .names(haveMatches: false, _): return
    case .names(_, let terminator): if count == 1 { try writeName(terminator) }
    case .counts, .nothing: break
    }
    hasFound = true
  }

  /// Ends the matches of a file.
  func end() throws(FerryError) {
    searchedCount += 1
    switch style {
    case .counts: try write(prefix + String(count))
    case .names(haveMatches: false, let terminator) where count == 0:
      hasFound = true
      try writeName(terminator)
    case .matches, .json, .names, .nothing: break
    }
  }

  private func writeName(_ terminator: Character) throws(FerryError) {
    guard terminator != "\0" else { return try write(name, terminator) }
    let file = StandardError.inputName(name)
    try write(
      Terminal.isOutputShown ? colors(file, .heading) : colors.colored(file, .heading), terminator)
  }

  /// Counts a file in a folder that is of a kind that Ferry does not read.
  func skip() { otherFileCount += 1 }

  /// Prints the numbers of files if one of several has failed, if nothing was found beside symbolic links, which are not followed, or
  /// if the user asks for them.
  func summarize(isVerbose: Bool) {
    let failedCount = errors.all.count
    let isOneOfSeveral = failedCount > 0 && searchedCount + failedCount + otherFileCount > 1
    let mayBeBehindLink = !hasFound && searchedCount > 0 && errors.skippedLinks != nil
    guard isVerbose || isOneOfSeveral || mayBeBehindLink else { return }
    guard !errors.isPipeClosed, output.error == nil else { return }
    var parts = ["\(searchedCount) searched", "\(failedCount) failed"]
    parts += errors.skipped(otherFileCount: otherFileCount)
    StandardError.write(parts.joined(separator: ", "))
  }

  private var prefix: String { hasMany ? colors(StandardError.inputName(name), .heading) + ": " : "" }

  /// The longest path in a line, in bytes. Programs get whole paths with `--json`.
  private static let pathBytes = 1000

  /// The longest path that is printed, in bytes; nil for paths of any length.
  var mostPathBytes: Int? {
    switch style {
    case .matches: Self.pathBytes
    case .json: nil
    case .names, .counts, .nothing: 0
    }
  }

  /// The longest value in a line, in characters.
  private static let valueLength = 200

  private func line(for match: ValueSearch.Match) -> String {
    let path = match.path.isEmpty && match.omittedSteps == 0 ? "" : colors(Self.text(ofPathOf: match), .key)
    let value: String
    if match.isKey {
      value = colors("(key)", .faint)
    } else if let text = match.text {
      let isLong = text.count > Self.valueLength
      value = colors(
        isLong ? text.prefix(Self.valueLength) + "…" : text, match.kind == .string ? .string : .number)
    } else {
      value = colors(match.className ?? match.kind.rawValue, .type)
    }
    return prefix + (path.isEmpty ? value : "\(path): \(value)")
  }

  private static func text(ofPathOf match: ValueSearch.Match) -> String {
    guard match.omittedSteps > 0 || !match.pathEnd.isEmpty else { return match.path.description }
    let middle = match.omittedSteps > 0 ? "… \(match.omittedSteps.counted("step")) …" : "…"
    return [match.path.description, middle, match.pathEnd.description].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  private func entry(for match: ValueSearch.Match) throws(FerryError) -> String {
    var entry = KeyedValues()
    (entry["file"], entry["path"]) = (.string(name), .string(match.path.description))
    entry["match"] = .string(match.isKey ? "key" : match.className == nil ? "value" : "object")
    if !match.isKey { entry["type"] = .string(match.kind.rawValue) }
    if let className = match.className { entry["class"] = .string(className) }
    if let text = match.text { entry["text"] = .string(text) }
    let line = MemoryOutput()
    let writer = JSONWriter(to: line, style: .compact)
    try Value.dictionary(entry).replay(into: writer)
    try writer.finish()
    // Each line ends with its own line feed.
    return String(decoding: line.bytes.dropLast(line.bytes.last == UInt8(ascii: "\n") ? 1 : 0), as: UTF8.self)
  }

  private func write(_ line: String, _ terminator: Character = "\n") throws(FerryError) {
    try output.write((line + String(terminator)).utf8.span)
  }
}
