extension FormatDescription {
  static let text = FormatDescription(
    summary: "text in UTF-8, which is one string", aliases: ["txt"], extensions: ["txt"], content: .single,
    editingHint: useEditor)
}
