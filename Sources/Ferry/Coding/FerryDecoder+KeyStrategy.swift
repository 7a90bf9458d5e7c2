extension FerryDecoder {
  /// The relation between the keys of types and of files. It holds for the coding keys of types, and not for the keys of dictionaries, nor
  /// for keyed archives, whose keys are in a `ClassMap`.
  ///
  /// In XML, the name of an attribute is converted without its `@`. The keys of the text and of the contents of an element stay (`#text`,
  /// `#content` and the empty key), and so does a namespace in braces, unless a function converts the name.
  public struct KeyStrategy: Sendable {
    /// The kinds of strategies.
    enum Kind: Sendable {
      case same, snakeCase, kebabCase, capitalized, uppercase
      case custom(@Sendable ([any CodingKey]) -> any CodingKey)
    }

    let kind: Kind

    /// The keys of types and of files are the same.
    public static let same = KeyStrategy(kind: .same)
    /// A type's `firstName` is also `first_name` in a file, and any other name that `convertFromSnakeCase` of `JSONDecoder` makes `firstName`,
    /// such as `FIRST_NAME`. A type that takes every key gets `firstName`. An encoder writes the names of `convertToSnakeCase` of `JSONEncoder`:
    /// `valueX1` is `value_x1`, and `URLString` is `u_rl_string`.
    public static let snakeCase = KeyStrategy(kind: .snakeCase)
    /// A type's `firstName` is also `first-name` in a file.
    public static let kebabCase = KeyStrategy(kind: .kebabCase)
    /// A type's `firstName` is also `FirstName` in a file.
    public static let capitalized = KeyStrategy(kind: .capitalized)
    /// A type's `firstName` is also `FIRSTNAME` in a file.
    public static let uppercase = KeyStrategy(kind: .uppercase)

    /// A function converts the keys: from a file's key to a type's key in a decoder, and from a type's key to a file's key in an
    /// encoder.
    ///
    ///     decoder.keys = .custom { path in Key(path.last?.stringValue.lowercased() ?? "") }
    ///     // {"NAME": "Ada"}: name is "Ada"
    ///
    /// - Parameter key: Returns the key in place of the last one in a coding path.
    public static func custom(_ key: @escaping @Sendable (_ path: [any CodingKey]) -> any CodingKey) -> Self {
      KeyStrategy(kind: .custom(key))
    }
  }
}

extension FerryDecoder.KeyStrategy {
  /// True if a function relates the keys.
  var isCustom: Bool { if case .custom = kind { true } else { false } }

  /// True if the keys of types and of files are the same.
  var isSame: Bool { if case .same = kind { true } else { false } }

  /// Returns the name that a type's key has in a file, or nil if it is the same, or if a function relates the keys.
  ///
  /// - Parameter hasElements: True for names in XML.
  func name(of key: String, hasElements: Bool) -> String? {
    switch kind {
    case .same, .custom: nil
    case .snakeCase: key.local(hasElements) { $0.separated(by: "_") }
    case .kebabCase: key.local(hasElements) { $0.separated(by: "-") }
    case .capitalized: key.local(hasElements) { $0.capitalizedFirst }
    case .uppercase: key.local(hasElements) { $0.uppercased() }
    }
  }

  /// Returns the usual keys of a type for a name in a file; empty if a function relates the keys. Several names may have the same key.
  ///
  /// - Parameter hasElements: True for names in XML.
  func usualKeys(of name: String, hasElements: Bool) -> [String] {
    let conversions: [(String) -> String] =
      switch kind {
      case .same, .custom: []
      // The parts may also keep their capitals: `my_URL` is `myUrl` and `myURL`.
      case .snakeCase: [{ $0.camelCase(from: "_") }, { $0.camelCase(from: "_", keepsCapitals: true) }]
      case .kebabCase: [{ $0.camelCase(from: "-") }, { $0.camelCase(from: "-", keepsCapitals: true) }]
      case .capitalized: [{ $0.lowercasedFirst }]
      case .uppercase: [{ $0.lowercased() }]
      }
    var keys: [ExactString] = []
    for convert in conversions {
      let key = ExactString(name.local(hasElements, convert))
      if !keys.contains(key) { keys.append(key) }
    }
    return keys.map(\.string)
  }

  /// Returns the name that a custom strategy gives a key, or nil for other strategies.
  ///
  /// - Parameters:
  ///   - name: The name of the key.
  ///   - path: The coding path of the value that has the key.
  ///   - hasElements: True for names in XML.
  func customName(of name: String, in path: [any CodingKey], hasElements: Bool) -> String? {
    guard case .custom(let convert) = kind else { return nil }
    func converted(_ name: String) -> String { convert(path + [ValueKey(stringValue: name)]).stringValue }
    // In other formats, the function gets every name as it is, as in `JSONDecoder`.
    return hasElements ? name.unmarked(keepingContents: true, converted) : converted(name)
  }
}

extension String {
  /// Converts a name without the mark of an attribute.
  ///
  /// - Parameter keepsContents: True to leave the names of the text and the contents of elements as they are.
  fileprivate func unmarked(keepingContents keepsContents: Bool, _ convert: (String) -> String) -> String {
    switch unicodeScalars.first {
    case "@": "@" + convert(String(unicodeScalars.dropFirst()))
    case "#" where keepsContents, nil where keepsContents: self
    default: convert(self)
    }
  }

  /// Converts a name in XML without its namespace in braces, and other names without the mark of an attribute.
  ///
  /// - Parameter hasElements: True for names in XML.
  fileprivate func local(_ hasElements: Bool, _ convert: (String) -> String) -> String {
    hasElements
      ? afterNamespace { $0.unmarked(keepingContents: true, convert) }
      : unmarked(keepingContents: false, convert)
  }

  /// Converts the part of a name after its namespace in braces, such as `{urn:a}` or `@{urn:a}`; the whole of a name without one.
  fileprivate func afterNamespace(_ convert: (String) -> String) -> String {
    let mark = begins(with: "@") ? 1 : 0
    guard utf8.dropFirst(mark).first == UInt8(ascii: "{"), let end = utf8.lastIndex(of: UInt8(ascii: "}")),
      ExpandedName(key: Array(utf8.dropFirst(mark)).span) != nil
    else { return convert(self) }
    let local = utf8.index(after: end)
    return String(self[..<local]) + convert(String(self[local...]))
  }

  /// The text with a capital as its first character.
  fileprivate var capitalizedFirst: String {
    guard let first = unicodeScalars.first else { return "" }
    return first.properties.titlecaseMapping + String(unicodeScalars.dropFirst())
  }

  /// The text without a capital as its first character.
  fileprivate var lowercasedFirst: String {
    guard let first = unicodeScalars.first else { return "" }
    return first.properties.lowercaseMapping + String(unicodeScalars.dropFirst())
  }

  /// Returns the name that `convertToSnakeCase` of Foundation makes of one with capitals: `firstName` is `first_name`, `myURLPath` is `my_url_path`,
  /// and `valueX1Y2`, which has no small letter after a capital, is `value_x1y2`.
  fileprivate func separated(by separator: Character) -> String {
    guard !isEmpty else { return self }
    var words: [Substring] = []
    var (word, searched) = (startIndex, index(after: startIndex))
    while let capital = unicodeScalars[searched...].firstIndex(where: \.isCapitalLetter) {
      words.append(self[word..<capital])
      word = capital
      guard let small = unicodeScalars[capital...].firstIndex(where: \.isSmallLetter) else { break }
      let last = index(before: small)
      // Of several capitals, the last one begins the next word.
      if last > capital {
        words.append(self[capital..<last])
        word = last
      }
      searched = small
    }
    words.append(self[word...])
    return words.map { $0.lowercased() }.joined(separator: String(separator))
  }

  /// Returns the name that `convertFromSnakeCase` of Foundation makes of one with separators: `first_name` and `FIRST_NAME` are `firstName`.
  /// Separators at the beginning and the end stay, and so does a name without others.
  ///
  /// - Parameter keepsCapitals: True to keep the capitals of the name: `my_URL` is `myURL`, and not `myUrl`.
  fileprivate func camelCase(from separator: Unicode.Scalar, keepsCapitals: Bool = false) -> String {
    let scalars = Array(unicodeScalars)
    guard let first = scalars.firstIndex(where: { $0 != separator }),
      let last = scalars.lastIndex(where: { $0 != separator })
    else { return self }
    let parts = scalars[first...last].split(separator: separator).map { String(String.UnicodeScalarView($0)) }
    guard parts.count > 1 else { return self }
    let joined =
      keepsCapitals
      ? parts[0] + parts.dropFirst().map(\.capitalizedFirst).joined()
      : parts[0].lowercased() + parts.dropFirst().map(\.capitalizedWords).joined()
    func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String { String(String.UnicodeScalarView(scalars)) }
    return text(scalars[..<first]) + joined + text(scalars[(last + 1)...])
  }

  /// The text with a capital at the beginning of each word, as `capitalized` of Foundation has it: `x1y` is `X1Y`, and `it's` is `It's`.
  private var capitalizedWords: String {
    var text = ""
    var isInWord = false
    for scalar in unicodeScalars {
      let properties = scalar.properties
      if properties.isCased {
        text += isInWord ? properties.lowercaseMapping : properties.titlecaseMapping
        isInWord = true
      } else {
        text.unicodeScalars.append(scalar)
        let continues = scalar == "'" || scalar == "\u{2019}" || properties.isGraphemeExtend
        if !continues { isInWord = false }
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// True for the letters that Foundation's `uppercaseLetters` has.
  fileprivate var isCapitalLetter: Bool {
    properties.generalCategory == .uppercaseLetter || properties.generalCategory == .titlecaseLetter
  }

  /// True for the letters that Foundation's `lowercaseLetters` has.
  fileprivate var isSmallLetter: Bool { properties.generalCategory == .lowercaseLetter }
}
