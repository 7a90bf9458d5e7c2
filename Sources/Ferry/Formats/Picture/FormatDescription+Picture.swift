extension FormatDescription {
  static let tinyPix = FormatDescription(
    summary: "TinyPix: a picture of 8 × 8 pixels in eight bytes; as values eight rows of # and .",
    noun: "a TinyPix file", extensions: ["tinypix"], content: .single, shape: .single,
    // Any eight bytes are a TinyPix file, so only the extension identifies it.
    signature: FormatSignature(.name, isOptional: true) {
      $0.fileExtension == "tinypix" && $0.byteCount <= TinyPicture.size
    },
    reader: .stream { sink, context in
      WholeReader(budget: context.budget) { bytes throws(FerryError) in
        try TinyPicture(tinyPix: bytes).send(into: sink)
      }
    },
    writer: .values { output, context in
      SingleValueWriter(to: output) { value throws(FerryError) in
        try TinyPicture(value, context.lossesAroundValue).tinyPix
      }
    },
    editingAlternative: .wholeFile)

  static let png = FormatDescription(
    summary: "PNG picture of 8 × 8 black and white pixels; as values eight rows of # and .",
    noun: "a PNG image", extensions: ["png"], content: .single, shape: .single,
    typeIdentifiers: ["public.png"],
    signature: FormatSignature(.bytes) { TinyPicture.beginsPNG($0.bytes) },
    reader: .stream { sink, context in
      WholeReader(budget: context.budget) { bytes throws(FerryError) in
        try TinyPicture(png: bytes).send(into: sink)
      }
    },
    writer: .values { output, context in
      SingleValueWriter(to: output) { value throws(FerryError) in
        try TinyPicture(value, context.lossesAroundValue).png
      }
    },
    editingAlternative: .wholeFile)
}
