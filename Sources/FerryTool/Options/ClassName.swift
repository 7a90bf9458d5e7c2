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
