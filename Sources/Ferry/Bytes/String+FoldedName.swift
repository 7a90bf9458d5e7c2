extension String {
  /// The file name with its case folded, for comparisons as on a volume that ignores case: `straße`, `STRASSE` and `Straße` are the same
  /// name there. Names with composed and decomposed characters are the same name, too, and are equal as strings.
  package var foldedName: String {
    guard !utf8.allSatisfy({ $0 < 0x80 }) else { return lowercased() }
    // The upper case of ß is SS, so it is folded by way of its upper case. A dotless i stays: its upper case would make it the same as i.
    return unicodeScalars.reduce(into: "") { folded, scalar in
      folded += scalar == "\u{131}" ? String(scalar) : scalar.properties.uppercaseMapping.lowercased()
    }
  }
}
