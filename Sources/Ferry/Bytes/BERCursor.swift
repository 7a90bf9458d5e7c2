/// A cursor over the elements of ASN.1 in BER (ITU-T X.690), which checks all bounds.
///
///     tag, length, contents             the length is that of the contents in bytes
///     tag, 0x80, elements, 0, 0         the end of the elements is marked
///
/// DER is BER with known lengths.
struct BERCursor: ~Escapable {
  private let bytes: Span<UInt8>
  private(set) var offset = 0

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  /// The tag of a sequence.
  static let sequence: UInt8 = 0x30
  /// The tag `[0]` of an element that contains another.
  static let explicit: UInt8 = 0xa0
  /// The tags of a string of bytes, and of one that consists of such strings.
  private static let (string, constructedString): (UInt8, UInt8) = (0x04, 0x24)
  /// The bit in the tag of an element that consists of elements.
  private static let constructed: UInt8 = 0x20
  /// The length that shows that the end of the elements is marked.
  private static let marked: UInt8 = 0x80
  /// The bits of a tag whose number is in the bytes after it.
  private static let longTag: UInt8 = 0x1f
  /// The maximum number of bytes of a length, so that it fits an `Int`.
  private static let mostLengthBytes = 7
  /// The maximum number of levels of strings that consist of strings.
  private static let mostLevels = 16

  /// The end of the elements in an element.
  struct Container {
    /// The offset after the last element; nil if the end is marked, or is that of the file.
    let end: Int?
    /// True if two zeros mark the end.
    let isMarked: Bool
    /// The end of the innermost container with a known end.
    let limit: Int

    /// The container of the outermost element.
    static let file = Container(end: nil, isMarked: false, limit: .max)

    /// Creates the container in an element.
    ///
    /// - Parameter end: The end of its elements; nil if it is marked.
    init(upTo end: Int?, in outer: Container) {
      self.init(end: end, isMarked: end == nil, limit: end ?? outer.limit)
    }

    private init(end: Int?, isMarked: Bool, limit: Int) {
      (self.end, self.isMarked, self.limit) = (end, isMarked, limit)
    }
  }

  // MARK: Containers

  /// Enters an element that consists of elements.
  mutating func enter(
    _ tag: UInt8, in container: Container = .file, _ expecting: @autoclosure () -> String
  ) throws(FerryError) -> Container {
    guard try !isAtEnd(of: container), bytes[offset] == tag else {
      throw damaged("expected \(expecting())")
    }
    return Container(upTo: try header(in: container), in: container)
  }

  /// Returns true at the end of a container. Advances past the mark of the end.
  mutating func isAtEnd(of container: Container) throws(FerryError) -> Bool {
    if let end = container.end, offset == end { return true }
    guard offset < bytes.count else { throw truncated }
    guard container.isMarked, bytes[offset] == 0 else { return false }
    guard offset + 1 < bytes.count else { throw truncated }
    guard bytes[offset + 1] == 0 else { return false }
    offset += 2
    return true
  }

  /// Advances past the next element of a container.
  mutating func skipElement(of container: Container) throws(FerryError) {
    // The number of elements with marked ends inside each other, in each of which only that end is looked for.
    var depth = 0
    repeat {
      let innermost = depth == 0 ? container : Container(upTo: nil, in: container)
      if depth > 0, try isAtEnd(of: innermost) {
        depth -= 1
      } else if let end = try header(in: innermost) {
        offset = end
      } else {
        depth += 1
      }
    } while depth > 0
  }

  /// Advances past the remaining elements of a container and its end.
  mutating func skipRest(of container: Container) throws(FerryError) {
    while try !isAtEnd(of: container) { try skipElement(of: container) }
  }

  // MARK: Strings

  /// Appends the bytes of the next element, a string. If the end of the string is missing, appends the bytes that are not.
  mutating func readString(of container: Container, into contents: inout [UInt8]) throws(FerryError) {
    var containers: [Container] = []
    repeat {
      let innermost = containers.last ?? container
      if try isAtEnd(of: innermost) {
        guard containers.popLast() != nil else { throw damaged("expected a string of bytes") }
        continue
      }
      switch bytes[offset] {
      case Self.string:
        guard let end = try header(in: innermost) else { throw damaged("a string has no length") }
        contents.append(copying: bytes.extracting(offset..<min(end, bytes.count)))
        offset = end
      case Self.constructedString:
        guard containers.count < Self.mostLevels else {
          throw damaged("its contents are in more than \(Self.mostLevels) levels of strings")
        }
        containers.append(Container(upTo: try header(in: innermost), in: innermost))
      default: throw damaged("expected a string of bytes")
      }
    } while !containers.isEmpty
  }

  // MARK: Tags and lengths

  /// Reads the tag and the length of an element. Returns the end of its contents, which may be missing in the file; nil if it is marked.
  private mutating func header(in container: Container) throws(FerryError) -> Int? {
    let tag = try byte()
    if tag & Self.longTag == Self.longTag {
      while try byte() & 0x80 != 0 {}
    }
    let first = try byte()
    if first == Self.marked {
      guard tag & Self.constructed != 0 else { throw damaged("an element has no length") }
      return nil
    }
    var length = Int(first)
    if first > Self.marked {
      guard first & 0x7f <= Self.mostLengthBytes else { throw damaged("an element is too long") }
      length = 0
      for _ in 0..<Int(first & 0x7f) { length = length << 8 | Int(try byte()) }
    }
    guard length <= container.limit - offset else {
      throw damaged("an element is longer than the one that contains it")
    }
    return offset + length
  }

  private mutating func byte() throws(FerryError) -> UInt8 {
    guard offset < bytes.count else { throw truncated }
    defer { offset += 1 }
    return bytes[offset]
  }

  // MARK: Errors

  /// Returns the error of an element at the cursor, with the reason in words.
  func damaged(_ how: String) -> FerryError {
    FerryError(.compression(.damagedSignedData(how)), at: InputLocation(byte: min(offset, bytes.count)))
  }

  private var truncated: FerryError { damaged("it is truncated") }
}
