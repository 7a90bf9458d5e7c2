import ArgumentParser
import Ferry

/// The rules of `ferry rename`.
struct RenamingRules {
  let classes: [ClassName]
  let keys: [KeyName]

  /// Throws if two rules give one key different names. `ClassNameOptions` checks the rules of classes.
  func check() throws(ValidationError) {
    var names: [(type: String, key: String, new: String)] = []
    for rule in keys {
      for (type, key) in rule.readings {
        if let other = names.first(where: { $0.type.equals(type) && $0.key.equals(key) }),
          !other.new.equals(rule.new)
        {
          throw ValidationError(
            "two rules rename the key \(quotedForMessage(key)) of \(type): to "
              + "\(quotedForMessage(other.new)) and to \(quotedForMessage(rule.new))")
        }
        names.append((type, key, rule.new))
      }
    }
    for (index, rule) in columns.enumerated() {
      guard
        let other = columns[..<index].first(where: { $0.old.equals(rule.old) && !$0.new.equals(rule.new) })
      else { continue }
      throw ValidationError(
        "two rules rename the column \(quotedForMessage(rule.old)): to \(quotedForMessage(other.new)) and to "
          + quotedForMessage(rule.new))
    }
  }

  /// The rules that may be for columns of tables.
  var columns: [(old: String, new: String)] {
    keys.compactMap { rule in rule.column.map { ($0, rule.new) } }
  }

  /// The first rule that can only be for a column.
  var firstOfColumn: KeyName? { keys.first(where: \.readings.isEmpty) }

  func renaming(_ budget: Budget) -> ArchiveRenaming {
    var renaming = ArchiveRenaming()
    renaming.budget = budget
    renaming.classes = classes.names
    for rule in keys {
      for (type, key) in rule.readings { renaming.renameKey(key, ofClass: type, to: rule.new) }
    }
    return renaming
  }

  /// Returns a sentence for each rule that matches none of the names of archives and columns.
  func unmatched(in names: ArchiveRenaming.Names, _ columnNames: [String]) -> [String] {
    let classes = classes.filter { !names.hasClass($0.old) }.map { rule in
      "--class \(rule.text): no archive has a class \(quotedForMessage(rule.old))"
        + Self.suggestion(names.nearestClass(to: rule.old))
    }
    let keys = keys.filter { rule in
      !rule.readings.contains { names.hasKey($0.key, ofClass: $0.type) }
        && !columnNames.contains { rule.column?.equals($0) == true }
    }
    return classes + keys.map { rule in "--key \(rule.text): \(Self.problem(rule, names, columnNames))" }
  }

  private static func problem(
    _ rule: KeyName, _ names: ArchiveRenaming.Names, _ columnNames: [String]
  ) -> String {
    if let column = rule.column, rule.readings.isEmpty || !columnNames.isEmpty,
      !rule.readings.contains(where: { names.hasClass($0.type) })
    {
      return "no table has a column \(quotedForMessage(column))"
        + suggestion(NearMiss.nearest(to: column, among: columnNames))
    }
    guard let (type, key) = rule.readings.first(where: { names.hasClass($0.type) }) ?? rule.readings.first
    else { return "" }
    guard names.hasClass(type) else {
      return "no archive has a class \(quotedForMessage(type))" + suggestion(names.nearestClass(to: type))
    }
    return "no object of the class \(quotedForMessage(type)) has a key \(quotedForMessage(key))"
      + suggestion(names.nearestKey(to: key, ofClass: type))
  }

  private static func suggestion(_ name: String?) -> String {
    name.map { " (did you mean \(quotedForMessage($0, limit: .max))?)" } ?? ""
  }
}
