/// The number of an item of a typedstream: its index in the list of all items of this kind.
///
/// Each kind of item has numbers of a type of its own, so that the number of an object is not taken for the index of an entry.
struct TypedstreamNumber<Item>: Hashable, Strideable {
  /// The number, from 0 on: an index into arrays with an element for each item.
  let index: Int

  /// The number of the first item.
  static var first: Self { Self(0) }

  init(_ index: Int) { self.index = index }

  func distance(to other: Self) -> Int { other.index - index }
  func advanced(by count: Int) -> Self { Self(index + count) }

  // The comparisons that `Strideable` provides subtract first.
  static func == (a: Self, b: Self) -> Bool { a.index == b.index }
  static func < (a: Self, b: Self) -> Bool { a.index < b.index }

  static func + (number: Self, count: Int) -> Self { number.advanced(by: count) }
}

/// The index of an entry. The entries are in the order of the file.
typealias TypedstreamEntryIndex = TypedstreamNumber<TypedstreamEntry>
typealias TypedstreamClassNumber = TypedstreamNumber<TypedstreamClass>
typealias TypedstreamObjectNumber = TypedstreamNumber<TypedstreamObject>
typealias TypedstreamStringNumber = TypedstreamNumber<TypedstreamString>

/// An item of a typedstream that has a number.
protocol TypedstreamNumbered {}

extension TypedstreamEntry: TypedstreamNumbered {}
extension TypedstreamClass: TypedstreamNumbered {}
extension TypedstreamObject: TypedstreamNumbered {}
extension TypedstreamString: TypedstreamNumbered {}
extension TypedstreamStructure: TypedstreamNumbered {}
extension TypeEncoding: TypedstreamNumbered {}
extension TypeEncoding.Part: TypedstreamNumbered {}

extension Array where Element: TypedstreamNumbered {
  /// The number that the next item gets.
  var end: TypedstreamNumber<Element> { TypedstreamNumber(count) }

  /// The numbers of all items.
  var numbers: Range<TypedstreamNumber<Element>> { .first..<end }

  /// The item with a number.
  subscript(number: TypedstreamNumber<Element>) -> Element {
    get { self[number.index] }
    _modify { yield &self[number.index] }
  }
}
