extension FormatSignature {
  static let text: Self = FormatSignature(.name) {
    $0.fileExtension == "txt" && $0.isNeitherMarkupNorJSON && !$0.isOneScalar && !$0.isWholeOpenStepDictionary
  }
}

extension FormatHead {
  /// True if a file with the extension of a text contains neither markup nor JSON collections, and is not binary.
  var isNeitherMarkupNorJSON: Bool {
    switch first {
    case nil: return true
    case UInt8(ascii: "{"), UInt8(ascii: "["): return !canBeReadAsJSON
    case UInt8(ascii: "<"):
      guard let stream = try? XMLStream(document: ElementDelegate(), budget: .detection) else { return true }
      return !canBeRead(by: stream)
    default:
      let others: [FormatDescription] = [.typedstream, .binaryPropertyList]
      guard !others.contains(where: { $0.signature.matches(self) }) else { return false }
      return OtherKind.kind(of: self, by: .firstBytes) == nil
    }
  }

  /// True if the first bytes are JSON or JSON Lines.
  var canBeReadAsJSON: Bool {
    canBeRead(by: JSONLinesReader(into: NullSink(), budget: .detection))
      || canBeRead(by: JSONReader(into: NullSink(), budget: .detection))
  }

  /// True if a reader accepts the first bytes.
  private func canBeRead(by reader: any ChunkReader) -> Bool {
    do throws(FerryError) {
      // Zero bytes after JSON do not make it another text.
      try reader.read(bytes.span.extracting(..<endOfContent))
      if isWhole { try reader.finish() }
      return true
    } catch {
      return false
    }
  }

  /// True if the first line is a single JSON scalar.
  fileprivate var isOneScalar: Bool {
    let line = Array(bytes[start...].prefix { $0 != UInt8(ascii: "\n") })
    let reader = JSONReader(into: NullSink(), budget: .detection)
    do throws(FerryError) {
      try reader.read(line.span)
      try reader.finish()
      return true
    } catch {
      return false
    }
  }
}
