extension FormatDescription {
  static let tinyPix = FormatDescription(
    summary: "TinyPix: a picture of 8 × 8 pixels in eight bytes; as values eight rows of # and .",
    extensions: ["tinypix"], content: .single, editingHint: useEditor)

  static let png = FormatDescription(
    summary: "PNG picture of 8 × 8 black and white pixels; as values eight rows of # and .",
    extensions: ["png"], content: .single, editingHint: useEditor)
}
