import ArgumentParser
import Ferry

/// The options for the layout of JSON, XML and other texts.
struct LayoutOptions: ParsableArguments {
  @Flag(name: [.customLong("pretty"), .customShort("p")], help: "Pretty-print JSON and XML.")
  var isPretty = false

  @Flag(name: .customLong("compact"), help: "Write JSON on one line, also where it is pretty-printed.")
  var isCompact = false

  @Option(
    name: .customLong("indent"),
    help: ArgumentHelp("Indent JSON, XML and YAML with this number of spaces for each level.", valueName: "n")
  )
  var indent: Int?

  @Flag(name: .customLong("tab"), help: "Indent JSON, XML and XML property lists with a tab for each level.")
  var usesTabs = false

  @Flag(
    name: .customLong("ascii"),
    help: "Write an escape for each character beyond ASCII, in JSON, XML, YAML and property lists as text.")
  var isASCII = false

  func validate() throws {
    if let indent, !(0...Self.maximumIndent).contains(indent) {
      throw ValidationError("--indent takes a number from 0 to \(Self.maximumIndent), not \(indent)")
    }
    guard indent == nil || !usesTabs else {
      throw ValidationError("--indent and --tab cannot be used together")
    }
    guard !isCompact || !isPretty && !usesTabs && indent == nil else {
      throw ValidationError("--compact cannot be used with --pretty, --indent or --tab")
    }
  }

  /// Throws if the options have no effect on the output.
  func check(_ target: Format) throws(ValidationError) {
    let options = target.layoutOptions
    guard !isASCII || options.contains(.escapes) else {
      throw ValidationError("--ascii needs --to json, xml, yaml, plist-xml or another text with escapes")
    }
    guard !isCompact || options.contains(.oneLine) else { throw ValidationError("--compact needs --to json") }
    guard !isIndented || !options.contains(.oneLine) || options.contains(.lines) else {
      throw ValidationError(
        "\(nameOfIndentation) cannot be used with --to \(target.rawValue), which has one record a line")
    }
    guard indent == nil || options.contains(.spaces) else {
      throw ValidationError("--indent needs --to json, xml or yaml")
    }
    guard indent != 0 || options.contains(.noSpaces) else {
      throw ValidationError(
        "--indent 0 cannot be used with --to \(target.rawValue), which needs a space for each level")
    }
    guard !usesTabs || options.contains(.tabs) else {
      throw ValidationError("--tab needs --to json, xml or plist-xml")
    }
    guard !isPretty || options.contains(.lines) else {
      throw ValidationError("--pretty needs --to json, xml or another format with indentation")
    }
  }

  /// The first of the options that are given, or nil.
  var firstGiven: String? {
    isIndented ? nameOfIndentation : isCompact ? "--compact" : isASCII ? "--ascii" : nil
  }

  /// True if an option asks for indentation.
  var isIndented: Bool { isPretty || indent != nil || usesTabs }

  /// The option that asks for indentation.
  var nameOfIndentation: String { indent != nil ? "--indent" : usesTabs ? "--tab" : "--pretty" }

  private static let maximumIndent = 16

  /// Returns the layout.
  ///
  /// - Parameter isPretty: True to pretty-print unless an option asks for something else.
  func style(isPretty: Bool = false) -> OutputStyle {
    var indentation: Indentation?
    if let indent {
      indentation = .spaces(indent)
    } else if usesTabs {
      indentation = .tab
    } else if self.isPretty || isPretty && !isCompact {
      indentation = .spaces(2)
    }
    return OutputStyle(indentation: indentation, isASCII: isASCII)
  }
}
