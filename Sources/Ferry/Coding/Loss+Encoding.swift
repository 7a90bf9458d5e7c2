extension Loss.Kind {
  /// True for losses after which `FerryDecoder` may decode a value of another type or content than the encoded one. Other losses are
  /// those of structure, which it restores, and of rounding.
  func mayChangeValue(in format: Format) -> Bool {
    switch self {
    case .nullLeftOut, .nullAsText, .numberAsReal, .notANumber, .surrogate, .duplicateKey, .takenKey,
      .sharedIdentity, .referenceLookalike, .typedLookalike, .nestedArray, .contentForm, .emptyTable,
      .columnType, .undividedColumn:
      true
    // The type that is decoded decides what a text means.
    case .numberAsText, .booleanAsText, .notFinite: !format.recordDialect.scalarsAreText
    default: false
    }
  }
}

extension Loss {
  /// True if `FerryDecoder` decodes a value of another type or content than the encoded one.
  func changesValue(in format: Format) -> Bool {
    switch kind {
    // An optional is nil if its key is missing.
    case .nullLeftOut, .nullAsText: if case .key? = path.steps.last { false } else { true }
    default: kind.mayChangeValue(in: format)
    }
  }

  /// Returns the error of an encoder that refuses the loss.
  ///
  /// - Parameter whole: The encoded value; nil for one of many records, which is no longer known.
  func refusal(by encoder: FerryEncoder, of whole: EncodedValue? = nil) -> FerryError {
    // An integer of 128 bits, which is a number with its digits.
    if kind == .numberAsReal, let integer = whole?.value(at: path)?.wideInteger {
      let format = encoder.writing.format.description.noun
      return FerryError(.cannotHold(.integerRange(integer, format: format)), path: path)
    }
    let isCycle = kind == .sharedIdentity && encoder.writing.shared == .inFull
    return FerryError(isCycle ? .coding(.containsItself) : .loss(kind), path: path)
  }
}

extension LossReport {
  /// Creates a report that finds the first loss after which another value would be decoded.
  ///
  /// - Parameters:
  ///   - format: The format to which values are encoded.
  ///   - listsAll: True to list losses of all kinds.
  ///   - limitOfOthers: The number of listed losses up to which losses that change no value are listed, too.
  convenience init(encodingTo format: Format, listsAll: Bool = false, limitOfOthers: Int = 0) {
    self.init(
      limitOfOthers: limitOfOthers, seeking: { $0.changesValue(in: format) },
      listing: { listsAll || $0.mayChangeValue(in: format) })
  }
}
