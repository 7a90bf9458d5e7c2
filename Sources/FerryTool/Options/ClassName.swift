import ArgumentParser
import Ferry

/// `--class Person=MyApp.Person`
struct ClassName: ExpressibleByArgument {
  let old: String
  let new: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    (old, new) = (String(parts[0]), String(parts[1]))
  }
}

extension [ClassName] {
  /// Throws if two rules give one class different names. Canonically equivalent names, such as Å as one
  /// scalar and as two, count as one name, because the dictionary of the rules can hold only one of them.
  func checkDistinct() throws(ValidationError) {
    for (index, rule) in enumerated() {
      guard
        let other = self[..<index].first(where: {
          $0.old == rule.old && !($0.old.equals(rule.old) && $0.new.equals(rule.new))
        })
      else { continue }
      throw ValidationError(
        "two rules rename the class \"\(rule.old)\": to \"\(other.new)\" and to \"\(rule.new)\"")
    }
  }

  /// The new names by the old ones.
  var names: [String: String] { reduce(into: [:]) { names, rule in names[rule.old] = rule.new } }
}
