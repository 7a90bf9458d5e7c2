extension FerryDecoder {
  /// The relation between the keys of types and of files.
  public enum KeyStrategy: Sendable {
    /// They are the same.
    case same
    /// A type's `firstName` is also `first_name` in a file.
    case snakeCase
    /// A type's `firstName` is also `first-name` in a file.
    case kebabCase
    /// A type's `firstName` is also `FirstName` in a file.
    case capitalized
    /// A type's `firstName` is also `FIRSTNAME` in a file.
    case uppercase
    /// A type's key is also the result of a function in a file.
    case custom(@Sendable (_ key: String) -> String)
  }
}

extension FerryDecoder.KeyStrategy {
  /// Returns the name that a type's key has in a file, or nil if it is the same.
  func name(of key: String) -> String? {
    switch self {
    case .same: nil
    case .snakeCase: key.separated(by: "_")
    case .kebabCase: key.separated(by: "-")
    case .capitalized:
      // The name of an attribute follows its mark.
      key.utf8.first == UInt8(ascii: "@")
        ? "@" + String(key.unicodeScalars.dropFirst()).capitalizedFirst : key.capitalizedFirst
    case .uppercase: key.uppercased()
    case .custom(let name): name(key)
    }
  }
}

extension String {
  /// The text with a capital as its first character.
  fileprivate var capitalizedFirst: String {
    guard let first = unicodeScalars.first else { return "" }
    return first.properties.titlecaseMapping + String(unicodeScalars.dropFirst())
  }

  /// Returns the name with a separator in place of capitals: `firstName` is `first_name`, and `myURLPath` is `my_url_path`.
  fileprivate func separated(by separator: Unicode.Scalar) -> String {
    let scalars = Array(unicodeScalars)
    var text = ""
    for (index, scalar) in scalars.enumerated() {
      let isCapital = scalar.properties.isUppercase
      let follows = index > 0 && !scalars[index - 1].properties.isUppercase && scalars[index - 1] != separator
      let endsCapitals =
        index > 0 && index + 1 < scalars.count && scalars[index - 1].properties.isUppercase
        && scalars[index + 1].properties.isLowercase
      if isCapital, follows || endsCapitals { text.unicodeScalars.append(separator) }
      text += scalar.properties.lowercaseMapping
    }
    return text
  }
}
