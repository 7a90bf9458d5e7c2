import Foundation
import Testing

/// The limits of an input are those that its user gives, wherever it is read. So no code makes limits of its own, except as the
/// default of a public parameter or a setting, and no code of Ferry uses these defaults.
@Suite struct `Limits of inputs` {
  /// The files that make limits, or read with the default limits, with the reason.
  static let reasons = [
    "Archives/ClassCatalog/ClassCatalogEntry.swift": "archives keys that the program has made",
    "Archives/Coding/KeyedArchiveDecoder.swift": "makes the default limits of decoders",
    "Bytes/Compression/DecompressedInput.swift": "decompresses a part with the limits of the whole",
    "Conversion/TypedElementLookalikes.swift": "reads the beginning of the output, which Ferry has written",
    "Diffing/ValueDifferences+Patch.swift": "writes a patch, and opens no data in it",
    "Documents/DocumentClasses/ThingsDocument.swift": "makes an empty package",
    "Documents/DocumentObject/DocumentFile.swift": "reads a document of an app, which gives no limits",
    "Documents/DocumentType+Checking.swift": "checks an archive that the program has read or made",
    "Documents/EditedRecords.swift": "checks a package whose records Ferry has read",
    "Documents/Merging/ConflictReport.swift": "writes a report, and opens no data in it",
    "Errors/Budget.swift": "makes the limits for detecting a format",
    "Formats/JSON/SpooledList.swift": "reads a list that it has written to a temporary file",
    "Formats/PlainForm.swift": "writes pointers to objects, which are in a value of their own",
    "Formats/PropertyList/BinaryPropertyListWriter.swift": "writes a file, for which there are no limits",
    "Formats/XML/DoctypeCheck.swift":
      "checks the syntax of a document type declaration, whose size is limited",
    "Formats/XML/XMLEntities.swift": "opens a document type definition, whose size is limited",
    "Formats/XML/XMLWrittenForms.swift": "finds what a later reader with the usual limits finds",
    "Formats/XML/XMLTree.swift": "makes a tree of a reader that has limits",
    "Records/RecordTranslator+Nested.swift":
      "finds text that a later reader with the usual limits takes for JSON",
    "Records/SchemaFile.swift": "checks the default value of a field",
    "Stores/SQLite/SQLiteConnection.swift": "writes databases, for which there are no limits",
    "Tagged/JSONElements.swift": "reads a number, whose text is within the limits of the document",
    "Tagged/DocumentProbe.swift": "reads the first bytes of a file for a key",
  ]

  @Test func `Only public parameters and settings have default limits, which Ferry does not use`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Ferry").standardizedFileURL
    var files: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path(percentEncoded: false))
    where path.hasSuffix(".swift") {
      files[path] = Self.code(in: try String(contentsOf: sources.appending(path: path), encoding: .utf8))
    }
    let functions = Set(files.values.flatMap(Self.functionsWithDefaults))
    #expect(functions.isSuperset(of: ["JSONReader(", "XMLStream(", "Format.of(", "Inspection("]))
    var found: Set<String> = []
    for (path, code) in files {
      for place in Self.linesWithLimits(in: code) + Self.callsWithoutLimits(in: code, of: functions) {
        found.insert(path)
        #expect(Self.reasons[path] != nil, "\(path) has limits of its own: \(place)")
      }
    }
    #expect(found == Set(Self.reasons.keys), "a file in the list of exceptions makes no limits")
  }

  @Test func `Limits that code makes, and reading with the default limits, are found`() {
    let code = Self.code(
      in: """
        /// Reads `(bytes, budget: Budget())`.
        public struct Reader {
          public var budget = Budget()
          public init(
            _ bytes: [UInt8], budget: Budget = Budget()
          ) {
            var budget = Budget()
            try read(bytes, budget: Budget())
            Reader(bytes); Reader(bytes, name(of: bytes), budget: budget)
          }
          init(text: String, budget: Budget = Budget()) {}
          public static func of(_ bytes: [UInt8], budget: Budget = Budget()) -> Reader {}
        }
        let (one, two) = (LineReader(bytes), Reader.of(
          bytes))
        """)
    #expect(
      Self.linesWithLimits(in: code) == [
        "var budget = Budget()", "try read(bytes, budget: Budget())",
        "init(text: String, budget: Budget = Budget()) {}",
      ])
    let functions = Self.functionsWithDefaults(in: code)
    #expect(functions == ["Reader(", "Reader.of("])
    #expect(
      Self.callsWithoutLimits(in: code, of: functions).sorted() == ["Reader(bytes)", "Reader.of(\n  bytes)"])
  }

  /// Returns a text without its comments.
  private static func code(in text: String) -> String {
    text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
  }

  /// Returns the lines that make limits, without the default values of settings and of public functions.
  private static func linesWithLimits(in code: String) -> [String] {
    var isPublic = false
    return code.split(separator: "\n").compactMap { line in
      if line.contains("init(") || line.contains("func ") { isPublic = line.contains("public ") }
      guard line.contains("Budget()"), !(isPublic && line.contains("budget: Budget = Budget()")),
        line.firstMatch(of: /^( *public | {2}|)var \w+ = Budget\(\)/) == nil
      else { return nil }
      return String(line.drop { $0 == " " })
    }
  }

  /// Returns the functions with default limits as they are called: `JSONReader(`, `Format.of(`.
  private static func functionsWithDefaults(in code: String) -> Set<String> {
    var (type, function) = ("", "")
    var found: Set<String> = []
    for line in code.split(separator: "\n") {
      if let match = line.firstMatch(of: /^(?:@?\w+ )*(?:struct|class|enum|extension) (\w+)/) {
        type = String(match.1)
      }
      if let match = line.firstMatch(of: /\bfunc (\w+)/) { function = ".\(match.1)" }
      if line.contains("init(") { function = "" }
      if line.contains("budget: Budget = Budget()") { found.insert("\(type)\(function)(") }
    }
    return found
  }

  /// Returns the calls of functions that are not given a budget.
  private static func callsWithoutLimits(in code: String, of functions: Set<String>) -> [String] {
    var found: [String] = []
    for function in functions {
      var start = code.startIndex
      while let name = code.range(of: function, range: start..<code.endIndex) {
        start = name.upperBound
        if let before = code[..<name.lowerBound].last, before.isLetter || "._".contains(before) { continue }
        var depth = 1
        let arguments = code[name.upperBound...].prefix { character in
          depth += character == "(" ? 1 : character == ")" ? -1 : 0
          return depth > 0
        }
        if !arguments.contains("udget") { found.append("\(function)\(arguments))") }
      }
    }
    return found
  }
}
