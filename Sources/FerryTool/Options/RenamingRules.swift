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
  }

  func renaming(_ budget: Budget) -> ArchiveRenaming {
    var renaming = ArchiveRenaming()
    renaming.budget = budget
    renaming.classes = classes.names
    for rule in keys {
      for (type, key) in rule.readings { renaming.renameKey(key, ofClass: type, to: rule.new) }
    }
    return renaming
  }

  /// Returns a sentence for each rule that matches none of the names.
  func unmatched(in names: ArchiveRenaming.Names) -> [String] {
    let classes = classes.filter { !names.hasClass($0.old) }.map { rule in
      "--class \(rule.text): no archive has a class \(quotedForMessage(rule.old))"
        + Self.suggestion(names.nearestClass(to: rule.old))
    }
    let keys = keys.filter { rule in !rule.readings.contains { names.hasKey($0.key, ofClass: $0.type) } }
    return classes + keys.map { rule in "--key \(rule.text): \(Self.problem(rule, names))" }
  }

  private static func problem(_ rule: KeyName, _ names: ArchiveRenaming.Names) -> String {
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
