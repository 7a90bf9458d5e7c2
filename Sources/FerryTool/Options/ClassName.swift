import ArgumentParser
import Ferry

/// A rule of `--class`: `Person=MyApp.Person`, `"a=b"=c`.
struct ClassName {
  let old: String
  let new: String
  /// The rule as given.
  let text: String

  init(parsing text: String) throws(ValidationError) {
    self.text = text
    var parser = RenamingRuleParser(text, example: "\"a=b\"=c")
    old = try parser.quotedName() ?? parser.plainName()
    new = try parser.newName()
    guard !old.isEmpty, !new.isEmpty else {
      throw ValidationError("expected the names of two classes, as in Person=MyApp.Person")
    }
  }
}

extension [ClassName] {
  /// Throws if two rules give one class different names. Canonically equivalent names, such as Å as one
  /// scalar and as two, count as one name, because the dictionary of the rules can hold only one of them.
  func checkDistinct() throws(ValidationError) {
    var rules: [String: ClassName] = [:]
    for rule in self {
      let other = rules[rule.old, default: rule]
      rules[rule.old] = other
      guard !other.old.equals(rule.old) || !other.new.equals(rule.new) else { continue }
      throw ValidationError(
        "two rules rename the class \(MessageText.quoted(rule.old)): to \(MessageText.quoted(other.new)) and to "
          + MessageText.quoted(rule.new))
    }
  }

  /// The new names by the old ones.
  var names: [String: String] { reduce(into: [:]) { names, rule in names[rule.old] = rule.new } }
}
