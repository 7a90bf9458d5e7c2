import ArgumentParser
import Ferry

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The arguments of a process, of which some need not be UTF-8: names of files are bytes.
///
/// `CommandLine.arguments` replaces wrong bytes by U+FFFD, and no file has such a name.
struct ProcessArguments {
  /// The arguments as text. A byte that is not UTF-8 is `\xe9`.
  let texts: [String]
  /// The texts of the arguments that are not UTF-8, in order.
  private let others: [String]
  /// The bytes of the arguments that are not UTF-8, by the UTF-8 of their texts.
  private let bytesByText: [[UInt8]: [UInt8]]

  /// The arguments of this process, without its name.
  static let current: ProcessArguments = {
    var arguments: [[UInt8]] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { continue }
      unsafe arguments.append(Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
    }
    return ProcessArguments(arguments)
  }()

  init(_ arguments: [[UInt8]]) {
    let valid = Set(arguments.filter { String(validating: $0, as: UTF8.self) != nil })
    var (texts, others): ([String], [String]) = ([], [])
    var bytesByText: [[UInt8]: [UInt8]] = [:]
    for bytes in arguments {
      guard !valid.contains(bytes) else {
        texts.append(String(decoding: bytes, as: UTF8.self))
        continue
      }
      // Each argument has a unique text, by which its bytes are found.
      var mark = "\\x"
      var text = Self.text(of: bytes, mark: mark)
      while valid.contains(Array(text.utf8)) || bytesByText[Array(text.utf8), default: bytes] != bytes {
        mark = "\\" + mark
        text = Self.text(of: bytes, mark: mark)
      }
      bytesByText[Array(text.utf8)] = bytes
      others.append(text)
      texts.append(text)
    }
    (self.texts, self.others, self.bytesByText) = (texts, others, bytesByText)
  }

  /// Returns bytes as text, in which a mark and two digits are a byte that is not UTF-8.
  private static func text(of bytes: [UInt8], mark: String) -> String {
    var text = ""
    bytes.forEachScalar { scalar in
      text.unicodeScalars.append(scalar)
    } notUTF8: { byte in
      text += mark + String(byte, radix: 16)
    }
    return text
  }

  /// The number of arguments after `--`, where a dash is a value as any other.
  var countAfterTerminator: Int {
    texts.firstIndex { $0.equals("--") }.map { texts.endIndex - 1 - $0 } ?? 0
  }

  /// The text of the first argument that is not UTF-8, or nil.
  var notUTF8: String? { others.first }

  /// Throws if an argument that is not UTF-8 is not one of the names.
  func validate(except names: [String]) throws {
    guard !others.isEmpty else { return }
    let names = Set(names.map { Array($0.utf8) })
    guard let other = others.first(where: { !names.contains(Array($0.utf8)) }) else { return }
    throw ValidationError("\(other): \(Self.notUTF8Problem)")
  }

  /// The problem of an argument that is not UTF-8.
  static let notUTF8Problem = "the argument is not UTF-8 (rename the file)"

  /// Returns the bytes of an argument that is not UTF-8, or nil for any other name.
  func bytes(of name: String) -> [UInt8]? {
    bytesByText.isEmpty ? nil : bytesByText[Array(name.utf8)]
  }

  /// Opens the file that an argument names, or the standard input for `-`.
  func open(_ name: String) throws(FerryError) -> FileInput {
    guard let bytes = bytes(of: name) else { return try FileInput(path: name) }
    return try FileInput(pathBytes: bytes)
  }
}
