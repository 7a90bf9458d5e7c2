import ArgumentParser
import Ferry

/// The rules of `ferry rename`.
struct RenamingRules {
  let classes: [ClassName]
  let keys: [KeyName]

  /// Throws if two rules give one key different names. `ClassNameOptions` checks the rules of classes.
  func check() throws(ValidationError) {
    // Each key, after its class, with its first new name; and each column.
    var (names, columns): ([[UInt8]: [[UInt8]: String]], [[UInt8]: String]) = ([:], [:])
    for rule in keys {
      for (type, key) in rule.readings {
        let other = names[Array(type.utf8), default: [:]].keepingFirst(rule.new, forKey: Array(key.utf8))
        guard !other.equals(rule.new) else { continue }
        throw ValidationError(
          "two rules rename the key \(MessageText.quoted(key)) of \(type): to "
            + "\(MessageText.quoted(other)) and to \(MessageText.quoted(rule.new))")
      }
    }
    for rule in self.columns {
      let other = columns.keepingFirst(rule.new, forKey: Array(rule.old.utf8))
      guard !other.equals(rule.new) else { continue }
      throw ValidationError(
        "two rules rename the column \(MessageText.quoted(rule.old)): to \(MessageText.quoted(other)) and to "
          + MessageText.quoted(rule.new))
    }
  }

  /// The rules that may be for columns of tables.
  var columns: [(old: String, new: String)] {
    keys.compactMap { rule in rule.column.map { ($0, rule.new) } }
  }

  /// The first rule that can only be for a column.
  var firstOfColumn: KeyName? { keys.first(where: \.readings.isEmpty) }

  /// True if all rules can only be for columns.
  var areOfColumns: Bool { classes.isEmpty && keys.allSatisfy(\.readings.isEmpty) }

  func renaming(_ budget: Budget) -> ArchiveRenaming {
    var renaming = ArchiveRenaming()
    renaming.budget = budget
    renaming.classes = classes.names
    for rule in keys {
      for (type, key) in rule.readings { renaming.renameKey(key, ofClass: type, to: rule.new) }
    }
    return renaming
  }

  /// The names in the files before the renaming.
  struct FoundNames {
    var archives = ArchiveRenaming.Names()
    var columns: [String] = []
    /// True if a file is a property list, which may be an archive.
    var hasPropertyLists = false
  }

  /// Returns a sentence for each rule that matches none of the names of archives and columns.
  func unmatched(in names: FoundNames) -> [String] {
    let archives = names.archives
    let columns = Set(names.columns.map { Array($0.utf8) })
    let classes = classes.filter { !archives.hasClass($0.old) }.map { rule in
      "--class \(rule.text): \(Self.noClass(rule.old, in: archives))"
    }
    let keys = keys.filter { rule in
      !rule.readings.contains { archives.hasKey($0.key, ofClass: $0.type) }
        && rule.column.map { columns.contains(Array($0.utf8)) } != true
    }
    return classes + keys.map { rule in "--key \(rule.text): \(Self.problem(rule, names))" }
  }

  private static func noClass(_ type: String, in names: ArchiveRenaming.Names) -> String {
    "no archive has a class \(MessageText.quoted(type))" + suggestion(names.nearestClass(to: type))
  }

  private static func problem(_ rule: KeyName, _ found: FoundNames) -> String {
    let names = found.archives
    if let column = rule.column, !rule.readings.contains(where: { names.hasClass($0.type) }) {
      let noColumn =
        "no table has a column \(MessageText.quoted(column))"
        + suggestion(NearMiss.nearest(to: column, among: found.columns))
      guard let (type, _) = rule.readings.first else { return noColumn }
      guard !found.columns.isEmpty else { return noClass(type, in: names) }
      return found.hasPropertyLists ? "\(noClass(type, in: names)), and \(noColumn)" : noColumn
    }
    guard let (type, key) = rule.readings.first(where: { names.hasClass($0.type) }) ?? rule.readings.first
    else { return "" }
    guard names.hasClass(type) else { return noClass(type, in: names) }
    return "no object of the class \(MessageText.quoted(type)) has a key \(MessageText.quoted(key))"
      + suggestion(names.nearestKey(to: key, ofClass: type))
  }

  private static func suggestion(_ name: String?) -> String {
    name.map { " (did you mean \(MessageText.quoted($0, limit: .max))?)" } ?? ""
  }
}

extension Dictionary {
  /// Sets the value for a new key. Returns the value of the key, which is that from before for a known one.
  fileprivate mutating func keepingFirst(_ value: Value, forKey key: Key) -> Value {
    if let known = self[key] { return known }
    self[key] = value
    return value
  }
}
