import Testing

@Suite struct `File names` {
  /// `NamedError.swift` declares the type `NamedError`, and `Format+Argument.swift` extends the type `Format`.
  @Test(arguments: ["Ferry", "FerryTool"])
  func `A file has the name of a type that it declares or extends`(_ target: String) throws {
    let files = try SourceFile.all(in: target)
    #expect(files.count > 50)
    #expect(files.filter { !Self.isNamedForType($0) }.map(\.path).sorted() == [])
  }

  @Test func `A file without the name of such a type is found`() {
    let text = "struct A { enum B {} }\nextension C.D { var c: Int { 1 } }"
    let names = ["A", "B", "C", "E", "A+E", "B+E", "C+E", "D+E", "E+A"]
    let found = names.filter { !Self.isNamedForType(SourceFile(path: "Values/\($0).swift", text: text)) }
    #expect(found == ["C", "E", "E+A"])
  }

  private static func isNamedForType(_ file: SourceFile) -> Bool {
    let name = file.path.split(separator: "/").last?.split(separator: ".").first ?? ""
    let parts = name.split(separator: "+").map(String.init)
    guard let type = parts.first else { return false }
    let extended = parts.count > 1 ? file.extensions.flatMap(\.head) : []
    return file.types.union(file.nestedTypes).union(extended).contains(type)
  }
}
