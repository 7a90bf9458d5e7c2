extension String {
  /// The name of a file without its case, as a volume compares it that ignores case: `straße`, `STRASSE` and `Straße` are one name there. As
  /// strings, names with composed and decomposed characters are equal, which such a volume takes for one name, too.
  package var foldedName: String {
    guard !utf8.allSatisfy({ $0 < 0x80 }) else { return lowercased() }
    // The upper case of ß is SS. That of a dotless i is the letter I, which is another one.
    return unicodeScalars.reduce(into: "") { folded, scalar in
      folded += scalar == "\u{131}" ? String(scalar) : scalar.properties.uppercaseMapping.lowercased()
    }
  }
}
