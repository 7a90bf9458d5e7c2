/// A source of records that can be read without suspending: a file, bytes in memory, or an open file.
///
///     RecordInput.file("people.xml")
///     RecordInput.bytes(body, named: "people.csv")
public struct RecordInput: Sendable {
  private enum Source: Sendable {
    case file(String)
    case bytes([UInt8])
    case open(OpenFile)
  }

  /// An open file, which is closed when no input needs it anymore.
  private final class OpenFile: Sendable {
    let file: SystemFile
    init(_ file: consuming SystemFile) { self.file = file }
  }

  private let source: Source
  /// The file name of the input, used if the content has no signature.
  let name: String?
  /// The path of a file; nil for other inputs.
  var path: String? { if case .file(let path) = source, path != "-" { path } else { nil } }

  /// Returns the input of the file at a path, or of the standard input for `-`.
  public static func file(_ path: String) -> RecordInput { RecordInput(source: .file(path), name: path) }

  /// Returns an input of bytes in memory.
  ///
  /// - Parameters:
  ///   - bytes: The contents of a file.
  ///   - name: The name of the file, used if the content has no signature.
  public static func bytes(_ bytes: some Sequence<UInt8>, named name: String? = nil) -> RecordInput {
    RecordInput(source: .bytes(Array(bytes)), name: name)
  }

  /// Returns an input of an open file, such as a pipe or a socket, from its current offset on.
  ///
  /// A read from a pipe that has nothing to read ends only when bytes come or its writer closes it, also if the loop was
  /// left. `AsyncRecords` waits for bytes without a read.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor of the file. It is duplicated, so the caller may close it.
  ///   - name: The name of the file, used if the content has no signature.
  /// - Throws: An error of the system.
  public static func descriptor(
    _ descriptor: Int32, named name: String? = nil
  ) throws(FerryError) -> RecordInput {
    RecordInput(source: .open(OpenFile(try SystemFile(duplicating: descriptor))), name: name)
  }

  /// Opens the input.
  func open() throws(FerryError) -> any ByteInput {
    switch source {
    case .file(let path): try FileInput(path: path)
    case .bytes(let bytes): MemoryInput(bytes)
    case .open(let open): try FileInput(SystemFile(sharing: open.file))
    }
  }
}
