extension String {
  /// True if the text is the plural of a noun, or the name of a list of the noun: `books`, `bookList`.
  func isPlural(of noun: String) -> Bool {
    let (plural, noun) = (lowercased(), noun.lowercased())
    if let singular = plural.singular, singular.equals(noun) { return true }
    return ["\(noun)list", "\(noun)_list", "\(noun)-list", "\(noun)set", "\(noun)collection"].contains {
      plural.equals($0)
    }
  }

  /// The singular of a name in plural, or nil for another name.
  var singular: String? {
    for (plural, singular) in [("people", "person"), ("children", "child"), ("entries", "entry")] {
      if equals(plural) { return singular }
      if hasSuffix(plural.prefix(1).uppercased() + plural.dropFirst()) {
        return dropLast(plural.count) + singular.prefix(1).uppercased() + singular.dropFirst()
      }
    }
    if hasSuffix("ies"), utf8.count > 4 { return dropLast(3) + "y" }
    for ending in ["sses", "xes", "ches", "shes"] where hasSuffix(ending) { return String(dropLast(2)) }
    let isPlural =
      hasSuffix("s") && !hasSuffix("ss") && !hasSuffix("us") && !hasSuffix("is") && utf8.count > 2
    return isPlural ? String(dropLast()) : nil
  }
}
