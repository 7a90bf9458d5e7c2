extension FormatDescription {
  static let tinyPix = FormatDescription(
    summary: "TinyPix: a picture of 8 × 8 pixels in eight bytes; as values eight rows of # and .",
    noun: "a TinyPix file", extensions: ["tinypix"], content: .single,
    reader: .stream { sink, context in
      WholeReader(limit: context.budget.tokenBytes) { bytes throws(FerryError) in
        try TinyPicture(tinyPix: bytes).send(into: sink)
      }
    })

  static let png = FormatDescription(
    summary: "PNG picture of 8 × 8 black and white pixels; as values eight rows of # and .",
    noun: "a PNG image", extensions: ["png"], content: .single,
    reader: .stream { sink, context in
      WholeReader(limit: context.budget.tokenBytes) { bytes throws(FerryError) in
        try TinyPicture(png: bytes).send(into: sink)
      }
    })
}
