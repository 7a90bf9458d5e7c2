import Ferry

// Documents and types from the README and the tests of XMLCoder 0.18.2 (https://github.com/CoreOffice/XMLCoder, MIT License), some of them
// shortened. The property wrappers and `DynamicNodeDecoding` are left out, because Ferry needs neither. The expected values are those that
// XMLCoder decodes, and that its own tests expect.

/// A document of XMLCoder's, and the value that XMLCoder decodes from it.
struct XMLCoderSample: Sendable {
  let name: String
  /// Decodes the document. Returns nil if the value is equal to XMLCoder's, and otherwise the value.
  let difference: @Sendable () throws -> String?

  init<T: Decodable & Equatable & Sendable>(
    _ name: String, _ xml: String, _ expected: T,
    _ set: @escaping @Sendable (inout FerryDecoder) -> Void = { _ in }
  ) {
    self.name = name
    difference = {
      var decoder = FerryDecoder()
      set(&decoder)
      let found = try decoder.decode(T.self, from: xml.utf8)
      return found == expected ? nil : "\(found)"
    }
  }

  static let all = attributes + lists + text + names + documents + choices
}
