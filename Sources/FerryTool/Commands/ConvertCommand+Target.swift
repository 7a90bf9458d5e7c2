import ArgumentParser
import Ferry

// The format or document type of the output, and the options that it permits.

extension ConvertCommand {
  /// Returns the format or document type of the output. Several inputs need several outputs.
  func target(for names: [String], _ types: DocumentTypes) throws -> ConversionTarget {
    let target = try requestedTarget(types)
    let isSequence = target.package == nil && target.format.isWrittenInSequence
    guard names.count <= 1 || folder.path != nil || inPlace || isSequence || join else {
      throw ValidationError(
        "several inputs need --out-dir or -i (only JSON can be written one after the other); \(Self.joining) --to FORMAT"
      )
    }
    try validateSchema(target)
    try validateEntries(target)
    try validateTypes()
    try validateClassNames(target)
    try validateShared(target)
    try validatePackages(target)
    try validateAppending(to: target)
    try validateCompression(of: names.count, to: target)
    try csvLayout.check(target.format)
    try layout.check(target.format)
    try yaml.check(target.format)
    guard !yaml.hasDocuments || reading.representation != .typed else {
      throw ValidationError("--documents cannot be used with --form typed, which is a single document")
    }
    try validateColumns(target)
    try validateNames(target)
    try validateIndentation(target)
    guard document.template == nil || target.format.isDatabase else {
      throw ValidationError("--template needs -o STORE, the copy of the Core Data store to write")
    }
    return target
  }

  /// Returns true if the output can have the typed form, and no option asks for something that only the plain form has.
  func canHaveTypedForm(_ target: ConversionTarget) -> Bool {
    reading.representation == .plain && target.package == nil && target.format.hasTypedForm
      && entries.option == nil && classNames.rules.isEmpty && reading.select == nil && reading.table == nil
      && extract == nil && (schema.name == nil || !schema.matches)
  }

  private func validateSchema(_ target: ConversionTarget) throws {
    guard schema.name != nil, schema.matches, reading.representation == .typed else { return }
    guard !target.format.hasTypedForm else {
      throw ValidationError("--schema cannot be used with --form typed, which writes values as they are read")
    }
  }

  private func validateColumns(_ target: ConversionTarget) throws {
    guard csvLayout.columns != nil, target.format.layoutOptions.contains(.chosenKeys) else { return }
    guard reading.representation == .plain else { throw ValidationError("--columns needs --form plain") }
    guard target.package == nil else {
      throw ValidationError("--columns cannot be used when writing a package, whose records are complete")
    }
  }

  private func validateEntries(_ target: ConversionTarget) throws {
    guard let option = entries.option else { return }
    guard reading.representation == .plain else { throw ValidationError("\(option) needs --form plain") }
    guard schema.name == nil || !schema.matches else {
      throw ValidationError("\(option) and --schema, which describes other records, cannot be used together")
    }
    guard target.package == nil else {
      throw ValidationError("\(option) cannot be used when writing a package, whose records have a schema")
    }
  }

  private func validateNames(_ target: ConversionTarget) throws {
    guard let option = root != nil ? "--root" : item != nil ? "--item" : nil else { return }
    guard target.format.isOfElements else { throw ValidationError("\(option) needs --to xml") }
    guard reading.representation != .typed else {
      throw ValidationError("\(option) cannot be used with --form typed, whose elements have fixed names")
    }
    guard schema.name == nil || !schema.matches else {
      throw ValidationError("\(option) cannot be used with --schema, which names the elements")
    }
    guard xml.convention != .jsonml else {
      throw ValidationError(
        "\(option) cannot be used with --convention jsonml, whose values name the elements")
    }
    try checkElementNames()
  }

  /// Throws if XML does not allow a name that is given for elements. The value may declare the prefix of the root element.
  private func checkElementNames() throws {
    var written = XMLWritingOptions()
    (written.convention, written.types) = (xml.convention, types.notation)
    written.hasExpandedNames = xml.namespaces == .expanded
    for (option, name, mayHavePrefix) in [("--root", root, true), ("--item", item, false)] {
      guard let flaw = name.flatMap({ written.flaw(inElementName: $0, mayHavePrefix: mayHavePrefix) }) else {
        continue
      }
      throw ValidationError("\(option): \(flaw)")
    }
  }

  private func validateIndentation(_ target: ConversionTarget) throws {
    guard layout.isIndented, target.format.isOfElements, xml.convention == .jsonml,
      reading.representation != .typed
    else { return }
    throw ValidationError(
      "\(layout.nameOfIndentation) cannot be used with --convention jsonml, whose values have all white space of the text"
    )
  }

  private func validateTypes() throws {
    guard csv.infersTypes, schema.name != nil, schema.matches else { return }
    throw ValidationError("--infer cannot be used with --schema, which gives the types")
  }

  private func validateClassNames(_ target: ConversionTarget) throws {
    guard !classNames.rules.isEmpty else { return }
    guard reading.representation == .plain else {
      throw ValidationError(
        "--class cannot be used with --form \(reading.representation.rawValue) (use ferry rename to rename classes alone)"
      )
    }
    guard target.format.capabilities.contains(.objects) || target.format.isDatabase else {
      throw ValidationError(
        "--class cannot be used when writing \(target.format.rawValue), which has no classes")
    }
  }

  private func validateShared(_ target: ConversionTarget) throws {
    if shared.given == .reference, let option = optionForRecords, splits || !target.format.isArchive {
      throw ValidationError(
        "\(option) cannot be used with --shared reference: records are written with all of their objects in full"
      )
    }
    guard shared.style == .inFull else { return }
    guard reading.representation == .plain else {
      throw ValidationError("--shared in-full needs --form plain (the other forms keep references)")
    }
    guard !target.format.isArchive else {
      throw ValidationError("--shared in-full cannot be used when writing an archive, which keeps references")
    }
  }

  private func validatePackages(_ target: ConversionTarget) throws {
    guard !join || target.package == nil else {
      throw ValidationError("--join cannot write a package, which is a folder: write its records to a file")
    }
    guard !splits || target.package == nil else {
      throw ValidationError("--split cannot write packages, which are folders: write the records to files")
    }
    guard target.package != nil else {
      guard document.attachments == nil else {
        throw ValidationError("--attachments needs a package to write, such as -o Copy.mystuff")
      }
      return
    }
    guard reading.representation == .plain else {
      throw ValidationError("a package can only be written with --form plain")
    }
    guard extract == nil else {
      throw ValidationError("--extract cannot be used when writing a package, which holds the files itself")
    }
  }

  private func validateAppending(to target: ConversionTarget) throws {
    guard append else { return }
    guard target.format.isDatabase, output.file != nil else {
      throw ValidationError("--append needs -o DATABASE, the database to add to")
    }
    guard !overwriting.force else { throw ValidationError("--append and --force cannot be used together") }
    guard document.template == nil else {
      throw ValidationError("--append and --template cannot be used together")
    }
  }

  private func validateCompression(of count: Int, to target: ConversionTarget) throws {
    guard let compression = compression.requested else { return }
    guard target.package == nil else {
      throw ValidationError("--compress cannot be used when writing a package, which is a folder")
    }
    guard !append else { throw ValidationError("--append and --compress cannot be used together") }
    guard compression != .zlib || count <= 1 || join || folder.path != nil || inPlace else {
      throw ValidationError(
        "--compress zlib takes one input (zlib data cannot be written one after the other)")
    }
  }

  /// Returns the kind of the output that `--to` and the extension of `-o` determine.
  private func requestedTarget(_ types: DocumentTypes) throws -> ConversionTarget {
    let named = output.file.flatMap(types.type(ofFile:))
    guard let to else {
      if let named { return Self.target(ofExtension: named, types) }
      if let format = output.file.flatMap(Format.ofFile(named:)) { return try Self.written(format) }
      // After --, options are names of files.
      let hasOptions = !ProcessArguments.current.texts.contains("--")
      if output.file == nil, !inPlace, hasOptions,
        let lead = MissingTarget.lead(of: files.names, layout.firstGiven)
      {
        throw ValidationError("no output format: \(lead)")
      }
      throw ValidationError("\(missingTarget) (\(Self.targets(types)))")
    }
    if let format = Format(name: to.text) {
      // An archive for the path of a package is written into the package.
      if let named, case .package(_, format, _) = named.layout { return .document(named) }
      return try Self.written(format)
    }
    guard let type = types.type(named: to.text) else {
      throw ValidationError(
        "unknown format \"\(to.text)\" for --to\(Self.suggestion(to.text, types)) (\(Self.targets(types)))")
    }
    return .document(type)
  }

  /// Returns the target for a file extension. For a built-in document type that is one file, the extension
  /// determines only the format, because any archive may be called `x.archive`.
  private static func target(ofExtension type: DocumentType, _ types: DocumentTypes) -> ConversionTarget {
    if case .file(let format) = type.layout, types.isBuiltIn(type) { return .format(format) }
    return .document(type)
  }

  private static func written(_ format: Format) throws -> ConversionTarget {
    try WrittenFormat.check(format, names: TargetName.allValueStrings)
    return .format(format)
  }

  /// The error for a command that does not determine the output's format.
  private var missingTarget: String {
    let option = "add --to FORMAT"
    if inPlace { return "-i replaces files by another format: \(option)" }
    guard let output = output.file else {
      if let option = ProcessArguments.current.texts.drop(while: { $0 != "--" }).first(where: Self.isOfOutput)
      {
        return "no output format: \(option) after -- is the name of a file (write options before --)"
      }
      return "no output format: \(option), or -o FILE with a known extension"
    }
    if output == "-" { return "the standard output has no file extension: \(option)" }
    if FoundInput.isFolder(output, DocumentTypes.builtIn) {
      return "\(output) is a folder: use --out-dir \(output) --to FORMAT"
    }
    let name = Compression.nameInside(String(output.namesInPath.last ?? ""))
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return "the file name \"\(name)\" has no extension: \(option)"
    }
    return "unknown file extension \"\(name[dot...])\": \(option)"
  }

  /// Returns true for an option that determines the output's format, also with its value after an equals sign.
  private static func isOfOutput(_ argument: String) -> Bool {
    ["-t", "--to", "-o", "--output"].contains(String(argument.prefix { $0 != "=" }))
  }

  /// The answers to names of formats that other tools have.
  private static let otherFormats = [
    "html": "ferry show --html writes a page", "md": "table writes columns of text",
    "markdown": "table writes columns of text", "swift": "ferry plutil -convert swift writes a literal",
    "objc": "ferry plutil -convert objc writes a literal", "binary": "write plist-binary",
    "binary-plist": "write plist-binary", "keyedarchive": "write archive", "keyedarchiver": "write archive",
    "nskeyedarchiver": "write archive",
  ]

  private static func suggestion(_ name: String, _ types: DocumentTypes) -> String {
    if let answer = otherFormats[name.lowercased()] { return " (\(answer))" }
    return NearMiss.nearest(to: name, among: TargetName.all(types)).map { " (did you mean \"\($0)\"?)" } ?? ""
  }

  private static func targets(_ types: DocumentTypes) -> String {
    TargetName.all(types).joined(separator: ", ")
  }
}
