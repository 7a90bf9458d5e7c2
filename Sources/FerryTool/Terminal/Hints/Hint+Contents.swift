import Ferry

// The advice about problems in the contents of files. Each function lists all problems, so that a new one needs a decision.

extension Hint {
  static func about(_ problem: JSONProblem) -> Hint? {
    switch problem {
    case .extended(.comments, _, _, isReadable: true), .extended(.trailingCommas, _, _, isReadable: true):
      .joined("use --from jsonc")
    case .extended(.singleQuotes, _, _, isReadable: true), .extended(.names, _, _, isReadable: true),
      .extended(.notFinite, _, _, isReadable: true):
      .joined("use --from json5")
    case .badNumber(_, isReadable: true), .badEscape(_, isReadable: true): "use --from json5"
    case .trailingContent(found: "U+0000"): "use --from json-nul if a NUL follows each value"
    case .trailingContent(let found): beginsValue(found) ? "use --from json-concat for several values" : nil
    case .expected(_, found: "the end of the line"): "use --from json-concat if values have several lines"
    case .comments: "use --from jsonc"
    case .expected, .extended, .unexpectedEnd, .badNumber, .badEscape, .controlCharacter, .notUTF8,
      .otherEncoding:
      nil
    }
  }

  /// Returns true if the first character after a value probably begins another value. A letter begins `true`, `false` or `null` much more
  /// rarely than a word that is not JSON.
  private static func beginsValue(_ found: String) -> Bool {
    found == "a double quote" || found.dropFirst().first.map { "{[-0123456789".contains($0) } == true
  }

  static func about(_ problem: YAMLProblem) -> Hint? {
    switch problem {
    case .sharedValue:
      "--with-aliases changes all of them; ferry convert rewrites the file without anchors"
    case .mergedEntry: "--with-aliases removes the entry, and the other value takes its place"
    case .notAtAliases, .removedAnchor: "use ferry edit to change the text"
    case .syntax(let message) where message.contains("invalid Unicode character escape code"):
      "--from json reads JSON, which has such escapes, unlike YAML"
    case .badScalar(tag: "!!bool", _, isOlder: true): "write true or false"
    case .badScalar(_, _, isOlder: true): "write it as a decimal number"
    case .notYAML: "--from yaml reads it as YAML"
    case .notChanged: "change a value in the text, or use ferry convert to rewrite the file"
    case .syntax, .notUTF8, .unknownAlias, .recursiveAlias, .badScalar, .badCollection, .badMerge,
      .severalDocuments, .notBuiltIn:
      nil
    }
  }

  static func about(_ problem: CSVProblem) -> Hint? {
    switch problem {
    case .rowLength(_, _, .spacesBeforeQuote?):
      "--skip-initial-space ignores the spaces before quotation marks"
    case .rowLength(_, _, .linesBeforeHeader(let count)?):
      "--skip-rows \(count) skips the lines before the header; --ragged accepts such rows"
    case .rowLength: "--ragged accepts such rows"
    case .sameColumn: "--column-names gives them other names"
    case .notCSV: "--from csv reads it as CSV"
    case .noTable(let format):
      .sentence(
        "--dotted is for tables, but the input is \(format), and the output is not a table (use --to csv)",
        advice: "use --to csv")
    case .onlyPlain: "use --form plain"
    case .columnOfEntry: "--dotted writes its entries to columns"
    case .tooFewLines: "--skip-rows is the number of lines before the header"
    case .textAfterQuote, .backslashBeforeQuote, .openQuote, .sameKey, .columnNames, .badDelimiter,
      .delimiterIsQuote,
      .badNullText, .notARow, .noColumn, .columnTwice, .notATable:
      nil
    }
  }

  static func about(_ problem: XMLProblem) -> Hint? {
    switch problem {
    case .undeclaredEntity: "--html-entities and --dtd FILE declare more"
    case .severalRoots: "--root NAME puts all into one"
    // The records of one input have the order of its fields, and the schema of the output may be that of another one.
    case .lateAttribute where ProcessArguments.current.texts.contains("--join"):
      "--schema FILE, such as one of ferry schema infer, puts the fields of all inputs in its order"
    case .lateAttribute: "--sort-keys puts attributes first"
    case .undeclaredRoot(let name): about(undeclaredRoot: name)
    case .undeclaredPrefix: "--ns PREFIX=URI binds it"
    case .onlyForValues:
      .sentence(
        // `get` has no --item.
        "--namespaces, --list, --order, --types, --comments, --instructions, --cdata, --convention"
          + (CommandOptions.running?.has(optionsIn: "--item") == false ? "" : ", --item")
          + " and --infer are for other formats: from XML to XML, everything stays as it is")
    case .onlyWithoutSchema:
      .sentence(
        "--namespaces, --list, --order, --types, --comments, --instructions, --cdata and --convention are for XML without "
          + "a schema (--schema none reads it so)", advice: "--schema none reads it so")
    case .notForInference:
      .sentence(
        "--namespaces, --list, --order, --types, --comments, --instructions, --cdata and --convention are for XML without "
          + "a schema, and --infer finds one (leave out --infer)", advice: "leave out --infer")
    case .namedBySchema: "leave out --infer, or --root and --item"
    case .otherInferredSchema: "leave out --infer"
    case .notXMLInput: "--from xml reads it as XML"
    case .noXML(let format):
      .sentence(
        "--convention, --types and --namespaces expand are for XML, but the input is \(format), and the output is "
          + "not XML, either (use --to xml)",
        advice: "use --to xml")
    case .notXML(let format):
      .sentence(
        "--select takes an XPath for XML, or a path for other formats, but not for the typed form of \(format) "
          + "(\(adviceOnSelection(of: format)))", advice: adviceOnSelection(of: format))
    case .tooManyNodes:
      "paths of names and * with conditions such as [@id='7'] and [2] are read without a limit"
    case .selectsNothingInNamespace(_, let namespace): "write _:name, or p:name with --ns p=\(namespace)"
    case .notWellFormed, .externalEntity, .badName, .forbiddenCharacter, .misplaced, .duplicateAttribute,
      .badMarkup,
      .badXPath, .badDTD, .notJsonML, .readOnlyConvention, .notElements, .noValues, .noNodes, .noPath,
      .noTarget, .selectsNothing, .selectsNothingToPrecede, .onlyElements, .noDefaultNamespace:
      nil
    }
  }

  /// Returns the advice about a selection of values in the typed form. Archives and typedstreams have it only as a whole.
  private static func adviceOnSelection(of format: String) -> String {
    Format(name: format).map { !$0.hasObjects && !$0.isDatabase } == true
      ? "use ferry get FILE PATH --form typed"
      : "leave out --select for the whole file, or --form typed for its plain values"
  }

  private static func about(undeclaredRoot name: String) -> Hint? {
    if let brace = name.lastIndex(of: "}") { return "use --root \(name[name.index(after: brace)...])" }
    guard let colon = name.lastIndex(of: ":") else { return nil }
    let localName = name[name.index(after: colon)...]
    return #"use --root "{URI}\#(localName)" with the namespace of the prefix, or --root \#(localName)"#
  }

  static func about(_ problem: PropertyListProblem) -> Hint? {
    switch problem {
    case .gnustepValue: "use --from plist-gnustep"
    case .expected(_, found: "\"\u{201c}\""), .expected(_, found: "\"\u{201d}\""):
      "write straight quotation marks"
    case .expected(_, found: "\"#\""): "a comment begins with //"
    case .overlapping, .truncated, .notBinary, .version, .cutOff, .badTrailer, .badOffset, .badMarker,
      .laterVersion,
      .notASCII, .badReference, .containsItself, .keyIsNotString, .wrongKind, .unexpectedElement,
      .unexpectedText,
      .missingKey, .missingValue, .badValue, .entityDeclaration, .badRoot, .expected, .unexpectedEnd:
      nil
    }
  }

  static func about(_ problem: ArchiveProblem) -> Hint? {
    switch problem {
    case .rawReference: "use --form raw"
    case .notRawForm: "leave out --form raw to write an archive of them"
    case .dataInRawForm: "use --form typed, or leave out --expand"
    case .unfitName(_, isAcceptable: true): "--force renames it all the same"
    case .malformed, .danglingReference, .notAClass, .badCollection, .badEvents, .unknownIdentity,
      .noDecodedForm,
      .unfitName, .badNib, .notAPropertyList:
      nil
    }
  }

  static func about(_ flaw: ObjectFlaw) -> Hint? {
    switch flaw {
    case .otherClassName: "use ferry rename --class Old=New to change both"
    case .other, .missingObject: nil
    }
  }

  static func about(_ problem: TypedProblem) -> Hint? {
    switch problem {
    case .notExact: "--form raw is exact"
    case .badTag("$date", _): "a date is 2024-02-29T12:00:00Z"
    case .badTag("$data", _): "data is Base64, such as QUI="
    case .badTag("$uid", _): "a UID is an integer from 0 on"
    case .badLayout: .joined("delete $layout to use the usual layout")
    case .partOfArchive:
      "ferry convert FILE --to json --form typed writes the whole file; --form plain writes its value"
    case .version, .noTypedForm, .unknownTag, .badTag, .badChain, .crowded, .repeated, .otherKey,
      .repeatedIdentity, .badKey, .missing, .noKey, .unknownReference:
      nil
    }
  }

  static func about(_ problem: ContentProblem) -> Hint? {
    switch problem {
    case .notInEncoding: "--encoding names the encoding, such as windows-1252"
    case .unknownEncoding: "iconv -l lists the names"
    case .notEncodable: "--to-encoding utf-8 has all"
    case .notEscapable: "leave --ascii out"
    case .notUTF8, .encodingNotUsed, .notEncodedBack, .notAText, .wrongSize, .notAPicture, .badRow,
      .brokenPNG,
      .unusablePNG:
      nil
    }
  }

  static func about(_ problem: ValueProblem) -> Hint? {
    switch problem {
    case .typedstreamObject: "--form plain shows it"
    case .kind, .integerRange, .misplaced: nil
    }
  }
}
