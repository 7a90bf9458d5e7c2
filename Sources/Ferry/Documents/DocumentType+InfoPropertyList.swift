extension DocumentType {
  /// The declaration of the type for an app's `Info.plist`: `CFBundleDocumentTypes` and, for a type that
  /// belongs to the app, `UTExportedTypeDeclarations`.
  ///
  ///     let list = DocumentType.things.infoPropertyList
  ///     list["CFBundleDocumentTypes"]?[0]?["LSTypeIsPackage"]     // .boolean(true)
  public var infoPropertyList: Value {
    let document: Value = [
      "CFBundleTypeName": .string(title), "CFBundleTypeRole": "Editor",
      "LSHandlerRank": isPublic ? "Alternate" : "Owner", "LSItemContentTypes": [.string(identifier)],
      "LSTypeIsPackage": .boolean(isPackage),
    ]
    guard !isPublic else { return ["CFBundleDocumentTypes": [document]] }
    let declaration: Value = [
      "UTTypeConformsTo": .array(parents.map { .string($0) }), "UTTypeDescription": .string(title),
      "UTTypeIdentifier": .string(identifier),
      "UTTypeTagSpecification": ["public.filename-extension": .array(extensions.map { .string($0) })],
    ]
    return ["CFBundleDocumentTypes": [document], "UTExportedTypeDeclarations": [declaration]]
  }

  /// True if the system declares the type, so that an app must not export it.
  private var isPublic: Bool { identifier.hasPrefix("public.") }

  /// The name as a title: `People Group` for `people-group`.
  private var title: String {
    name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
  }

  /// The uniform type identifiers that this type conforms to.
  private var parents: [String] {
    switch layout {
    case .package: ["com.apple.package", "public.composite-content"]
    case .file(let format): format.description.typeIdentifiers
    }
  }
}
