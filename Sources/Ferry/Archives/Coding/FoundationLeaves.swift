#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Date: ArchivedLeaf {
  static var archivedName: String { "a date" }

  static func decoded(_ node: Int, in decoding: ArchiveDecoding) throws(Failure) -> Date {
    if case .date(let seconds) = try decoding.nodes.kind(of: node) {
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
    if let (_, value) = try decoding.scalar(node), case .date(let seconds) = value {
      return Date(timeIntervalSinceReferenceDate: seconds)
    }
    throw try decoding.unexpected(self, found: node)
  }

  func encoded() throws(Failure) -> EncodedValue { .date(timeIntervalSinceReferenceDate) }
}

extension Data: ArchivedLeaf {
  static var archivedName: String { "data" }

  static func decoded(_ node: Int, in decoding: ArchiveDecoding) throws(Failure) -> Data {
    Data(try [UInt8].decoded(node, in: decoding))
  }

  func encoded() throws(Failure) -> EncodedValue { .data([UInt8](self)) }
}

extension UUID: ArchivedLeaf {
  static var archivedName: String { "a UUID" }

  /// Decodes an `NSUUID`, or a UUID as a string.
  static func decoded(_ node: Int, in decoding: ArchiveDecoding) throws(Failure) -> UUID {
    let text: String
    if let (type, value) = try decoding.scalar(node), case .string(let held) = value,
      type.name == "NSUUID" || type.inherits(from: "NSString")
    {
      text = held
    } else if try decoding.nodes.kind(of: node) == .string {
      text = try decoding.text(node)
    } else {
      throw try decoding.unexpected(self, found: node)
    }
    guard let uuid = UUID(uuidString: text) else {
      throw Failure(.coding(.unreadable(quotedForMessage(text), type: "UUID")))
    }
    return uuid
  }

  func encoded() throws(Failure) -> EncodedValue { .scalar(.uuid, .string(uuidString)) }
}

extension URL: ArchivedLeaf {
  static var archivedName: String { "a URL" }

  /// Decodes an `NSURL`, with a base or without, or a URL as a string.
  static func decoded(_ node: Int, in decoding: ArchiveDecoding) throws(Failure) -> URL {
    // The parts of the URL, from itself to its outermost base; each part is relative to the next.
    var parts: [String] = []
    var next: Int? = node
    var isNotFirst = false
    while let node = next {
      guard parts.count < decoding.budget.depth else {
        throw Failure(.overBudget(.depth(decoding.budget.depth)))
      }
      next = nil
      if let (type, value) = try decoding.scalar(node), case .string(let text) = value,
        type.name == "NSURL" || type.inherits(from: "NSString")
      {
        parts.append(text)
      } else if !isNotFirst, try decoding.nodes.kind(of: node) == .string {
        parts.append(try decoding.text(node))
      } else if try decoding.objectClass(of: node)?.inherits(from: "NSURL") == true,
        let relative = try decoding.nodes.value("NS.relative", of: node),
        let text = try decoding.resolve(relative).target
      {
        parts.append(try String.decoded(text, in: decoding))
        if let base = try decoding.nodes.value("NS.base", of: node) {
          next = try decoding.resolve(base).target
        }
      } else {
        throw try decoding.unexpected(self, found: node)
      }
      isNotFirst = true
    }
    var url: URL?
    for text in parts.reversed() {
      guard let resolved = URL(string: text, relativeTo: url) else {
        throw Failure(.coding(.unreadable(quotedForMessage(text), type: "URL")))
      }
      url = resolved
    }
    guard let url else { throw try decoding.unexpected(self, found: node) }
    return url
  }

  func encoded() throws(Failure) -> EncodedValue {
    guard let baseURL else { return .scalar(.url, .string(absoluteString)) }
    let object = EncodedObject(.url)
    object.add("NS.base", try baseURL.encoded())
    object.add("NS.relative", .string(relativeString))
    return .object(object)
  }
}

extension Decimal: ArchivedLeaf {
  static var archivedName: String { "a number" }

  /// Decodes an `NSDecimalNumber`, or any other number; a real becomes the decimal that it prints as.
  static func decoded(_ node: Int, in decoding: ArchiveDecoding) throws(Failure) -> Decimal {
    let number = try decoding.number(node, for: self)
    let decimal: Decimal? =
      switch number {
      case .boolean: nil
      case .real(let value) where value.isNaN: Decimal.nan
      case .integer, .real, .single, .decimal: Decimal(string: number.description)
      }
    guard let decimal, decimal.isNaN == (number.description.lowercased() == "nan") else {
      throw Failure(.coding(.doesNotFit("\(number)", type: "Decimal")))
    }
    return decimal
  }

  func encoded() throws(Failure) -> EncodedValue {
    guard !isNaN else { return .scalar(.decimalNumber, .real(.nan)) }
    guard let decimal = DecimalNumber(compacting: description) else {
      throw Failure(.coding(.unreadable(quotedForMessage(description), type: "decimal number")))
    }
    return .scalar(.decimalNumber, decimal.value)
  }
}
