import Ferry

/// The choice of files in folders by patterns for their names.
struct FileChoice {
  /// A pattern that an option gives.
  private struct Pattern {
    let text: String
    /// True if the pattern has taken or left out a file or subfolder.
    var isUsed = false
  }

  private var included: [Pattern]
  private var excluded: [Pattern]

  /// Creates a choice. Without patterns, it takes all files.
  init(included: [String] = [], excluded: [String] = []) {
    self.included = included.map { Pattern(text: $0) }
    self.excluded = excluded.map { Pattern(text: $0) }
  }

  /// True if patterns name the files to take.
  var hasIncluded: Bool { !included.isEmpty }

  /// The patterns for the files in one folder.
  struct Patterns {
    fileprivate let included: [NamePattern]
    fileprivate let excluded: [NamePattern]

    /// Returns true if files in a subfolder, given by its path from the folder, may be taken.
    func mayTakeFiles(in subfolder: String) -> Bool {
      included.isEmpty || included.contains { $0.mayMatch(inside: subfolder) }
    }
  }

  /// Returns the patterns for the files in a folder.
  func patterns(in folder: String) -> Patterns {
    Patterns(
      included: included.map { NamePattern($0.text, in: folder) },
      excluded: excluded.map { NamePattern($0.text, in: folder) })
  }

  /// Returns true for a file or subfolder, given by its path from the folder, that a pattern leaves out.
  mutating func excludes(_ path: String, _ patterns: Patterns) -> Bool {
    let matching = patterns.excluded.indices.filter { patterns.excluded[$0].matches(path) }
    for index in matching { excluded[index].isUsed = true }
    return !matching.isEmpty
  }

  /// Returns true if a file is taken, given by its path from the folder. Subfolders on this path must have been checked with `excludes`.
  mutating func takes(_ path: String, _ patterns: Patterns) -> Bool {
    let matching = patterns.included.indices.filter { patterns.included[$0].matches(path) }
    for index in matching { included[index].isUsed = true }
    return !excludes(path, patterns) && (included.isEmpty || !matching.isEmpty)
  }

  /// Reports the patterns without effect, which may have a mistake. Folders that are left out anyway can be excluded.
  func reportUnused() {
    for pattern in included where !pattern.isUsed {
      StandardError.write("--include \(MessageText.quoted(pattern.text)): no file was taken")
    }
    for pattern in excluded where !pattern.isUsed {
      let names = NamePattern(pattern.text)
      guard !FoundInput.foldersOfTools.contains(where: names.matches) else { continue }
      StandardError.write("--exclude \(MessageText.quoted(pattern.text)): nothing was left out")
    }
  }
}
