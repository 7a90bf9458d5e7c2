import Testing

@testable import Ferry

/// A merge of archives whose roots are values in the typed form.
struct ArchiveMerge: CustomTestStringConvertible, Sendable {
  var name: String
  var base, ours, theirs: String
  /// The result; nil for a conflict.
  var merged: String?
  var testDescription: String { name }

  /// Merges in both directions, and passes each result to a comparison with `merged`.
  func expectMerged(_ expectSame: ([UInt8], String) throws -> Void) throws {
    for (ours, theirs) in [(ours, theirs), (theirs, ours)] {
      let result = try Self.result(base, ours, theirs)
      #expect(result.conflicts.isEmpty == (merged != nil), "\(result.conflicts)")
      if let merged { try expectSame(result.bytes, merged) }
    }
  }

  /// Returns an archive of a value in the typed form.
  static func archive(_ root: String) throws -> [UInt8] {
    let text = #"{"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":\#(root)}}"#
    return try Conversion(to: .archive).convert(Array(text.utf8)).bytes
  }

  /// Merges archives of values in the typed form.
  static func result(
    _ base: String, _ ours: String, _ theirs: String, favoring side: FavoredSide = .ours
  ) throws -> DocumentMerge.Result {
    var merge = DocumentMerge()
    merge.matchesSchemas = false
    merge.favored = side
    let mine = try merge.read(archive(ours))
    return try merge.merge(
      base: merge.read(archive(base), as: mine), ours: mine, theirs: merge.read(archive(theirs), as: mine))
  }
}

extension Value {
  /// The value with the members of its sets in an order that does not depend on that of the file.
  var orderingSets: Value {
    guard case .set(let members) = self else { return mappingParts(\.orderingSets) }
    return .set(members.map(\.orderingSets).sorted { $0.words < $1.words })
  }
}
