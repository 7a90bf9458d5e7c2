extension DocumentType {
  public static let picture = DocumentType(
    name: "picture", identifier: "com.example.tinypix", extensions: ["tinypix"], layout: .file(.xml))
  public static let text = DocumentType(
    name: "text", identifier: "public.plain-text", extensions: ["txt"], layout: .file(.xml))
}
