/// The text of an Xcode project, `project.pbxproj`, as Xcode writes it: with a section for each class of objects, the names of
/// objects as comments, and small objects on one line.
///
///     /* Begin PBXBuildFile section */
///     		A1 /* a.swift in Sources */ = {isa = PBXBuildFile; fileRef = B1 /* a.swift */; };
///     /* End PBXBuildFile section */
///
/// A property list without the keys of a project is written without comments.
struct XcodeProject {
  private let objects: KeyedValues
  /// The name of the project, which is that of its package and not in its text.
  private let name: String
  /// The names of the phases by the identifiers of their files.
  private var phases: [ExactString: String] = [:]
  /// The class and the name of the object that has a list of configurations, by the identifier of the list.
  private var owners: [ExactString: (isa: String, name: String)] = [:]
  private var text: [UInt8] = []

  /// Returns the text of a value.
  ///
  /// - Parameter name: The name of the project, or nil to use that of its first target.
  static func text(of value: Value, name: String?) throws(FerryError) -> [UInt8] {
    guard case .dictionary(let root) = value else {
      throw FerryError(
        .cannotHold(.kind("\(value.kindInWords) as its outermost value", format: "an Xcode project")))
    }
    var project = XcodeProject(root, name: name)
    project.append(project: root)
    return project.text
  }

  /// Returns the name of the project in the comments of its text, as in `/* Build configuration list for PBXProject "App" */`.
  static func name(inCommentsOf text: [UInt8]) -> String? {
    guard let start = text.span.end(ofFirst: "/* Build configuration list for PBXProject \"", from: 0),
      let end = text.span.end(ofFirst: "\" */", from: start)
    else { return nil }
    return String(decoding: text[start..<end - 4], as: UTF8.self)
  }

  private init(_ root: KeyedValues, name: String?) {
    let objects = if case .dictionary(let objects)? = root["objects"] { objects } else { KeyedValues() }
    let targets = objects.values.lazy.compactMap { $0["targets"]?.listElements }.first { !$0.isEmpty }
    let first = targets?.first?.stringValue.flatMap { id in objects[.string(id)]?["name"]?.stringValue }
    (self.objects, self.name) = (objects, name ?? first ?? "")
    for (id, object) in objects { note(object, id.stringValue ?? "") }
  }

  /// Notes the files of a phase, and the configurations of a target or project.
  private mutating func note(_ object: Value, _ id: String) {
    if let phase = nameOfPhase(object) {
      for file in object["files"]?.listElements ?? [] {
        if let file = file.stringValue { phases[file] = phase }
      }
    }
    if let list = object["buildConfigurationList"]?.stringValue, let isa = object["isa"]?.stringValue {
      owners[list] = (
        isa,
        isa.equals("PBXProject")
          ? name : object["name"]?.stringValue ?? object["productName"]?.stringValue ?? ""
      )
    }
  }

  // MARK: Comments

  /// Returns the name of a phase of a build, or nil for other objects.
  private func nameOfPhase(_ object: Value) -> String? {
    guard let isa = object["isa"]?.stringValue, isa.hasPrefix("PBX"), isa.hasSuffix("BuildPhase") else {
      return nil
    }
    return object["name"]?.stringValue ?? String(isa.dropFirst(3).dropLast("BuildPhase".count))
  }

  /// Returns the comment beside references to an object, or nil if it has none.
  private func comment(_ id: String) -> String? {
    guard let object = objects[.string(id)], let comment = comment(of: object, id), !comment.contains("*/")
    else {
      return nil
    }
    return comment
  }

  private func comment(of object: Value, _ id: String) -> String? {
    if let phase = nameOfPhase(object) { return phase }
    let isa = object["isa"]?.stringValue ?? ""
    switch isa {
    case "PBXBuildFile":
      let file = (object["fileRef"] ?? object["productRef"])?.stringValue.flatMap { objects[.string($0)] }
      return "\(file.flatMap(Self.name) ?? "(null)") in \(phases[id] ?? "(null)")"
    case "PBXProject": return "Project object"
    case "PBXTargetDependency", "PBXContainerItemProxy", "PBXBuildRule": return isa
    case "XCConfigurationList":
      return owners[id].map { "Build configuration list for \($0.isa) \"\($0.name)\"" }
    case "XCRemoteSwiftPackageReference":
      let url = object["repositoryURL"]?.stringValue ?? ""
      let last = url.namesInPath.last.map(String.init) ?? ""
      return "\(isa) \"\(last.hasSuffix(".git") ? String(last.dropLast(4)) : last)\""
    case "XCLocalSwiftPackageReference": return "\(isa) \"\(object["relativePath"]?.stringValue ?? "")\""
    default: return Self.name(of: object)
    }
  }

  private static func name(of object: Value) -> String? {
    (object["name"] ?? object["path"] ?? object["productName"])?.stringValue
  }

  // MARK: Text

  private mutating func append(_ literal: String) { text += literal.utf8 }

  private mutating func append(string: String) {
    text += OpenStepString.text(BorrowedText(string.utf8.span), quotesAll: false)
  }

  private mutating func append(comment id: String) {
    if let comment = comment(id) { append(" /* \(comment) */") }
  }

  private mutating func append(project: KeyedValues) {
    append("// !$*UTF8*$!\n{\n")
    for (key, value) in project {
      append("\t")
      append(string: key.stringValue ?? "")
      append(" = ")
      if key == .string("objects"), hasSections {
        appendSections()
      } else {
        append(value, indent: "\t", key: key.stringValue ?? "")
      }
      append(";\n")
    }
    append("}\n")
  }

  /// True if every object has a class.
  private var hasSections: Bool {
    !objects.isEmpty && objects.values.allSatisfy { $0["isa"]?.stringValue != nil }
  }

  private mutating func appendSections() {
    append("{\n")
    var sections: [ExactString: [(id: String, object: Value)]] = [:]
    for (id, object) in objects {
      sections[object["isa"]?.stringValue ?? "", default: []].append((id.stringValue ?? "", object))
    }
    for isa in sections.keys.sorted() {
      append("\n/* Begin \(isa) section */\n")
      for (id, object) in sections[isa] ?? [] {
        append("\t\t")
        append(string: id)
        append(comment: id)
        append(" = ")
        append(object, indent: Self.isOnOneLine(isa, object) ? nil : "\t\t", key: "objects")
        append(";\n")
      }
      append("/* End \(isa) section */\n")
    }
    append("\t}")
  }

  /// Returns true if Xcode writes an object on one line. It writes folders in this way only with the keys of early versions.
  private static func isOnOneLine(_ isa: ExactString, _ object: Value) -> Bool {
    switch isa {
    case "PBXBuildFile", "PBXFileReference": true
    case "PBXFileSystemSynchronizedRootGroup": object["explicitFileTypes"] != nil
    default: false
    }
  }

  /// The keys of values in which identifiers have no comments.
  private static let uncommented: Set<ExactString> = ["attributes", "buildSettings", "remoteGlobalIDString"]

  /// Appends a value.
  ///
  /// - Parameters:
  ///   - indent: The indentation of the value's line, or nil to write the value on one line.
  ///   - hasComments: False if identifiers in the value have no comments.
  private mutating func append(_ value: Value, indent: String?, key: String, hasComments: Bool = true) {
    let hasComments = hasComments && !Self.uncommented.contains(key)
    switch value {
    case .dictionary(let entries):
      append("{")
      let isa = entries["isa"].map { [(Value.string("isa"), $0)] } ?? []
      for (key, value) in isa + entries.filter({ $0.key != .string("isa") }).map({ ($0.key, $0.value) }) {
        append(indent.map { "\n\($0)\t" } ?? "")
        append(string: key.stringValue ?? "")
        append(" = ")
        append(value, indent: indent.map { $0 + "\t" }, key: key.stringValue ?? "", hasComments: hasComments)
        append(indent == nil ? "; " : ";")
      }
      append(indent.map { "\n\($0)}" } ?? "}")
    case .array(let elements):
      append("(")
      for element in elements {
        append(indent.map { "\n\($0)\t" } ?? "")
        append(element, indent: indent.map { $0 + "\t" }, key: "", hasComments: hasComments)
        append(indent == nil ? ", " : ",")
      }
      append(indent.map { "\n\($0))" } ?? ")")
    case .data(let bytes):
      append("<")
      append(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
      append(">")
    default:
      let string = value.stringValue ?? ""
      append(string: string)
      if hasComments { append(comment: string) }
    }
  }
}
