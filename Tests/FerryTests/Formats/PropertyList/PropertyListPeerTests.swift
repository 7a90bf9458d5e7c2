import Foundation
import TestSupport
import Testing

@testable import Ferry

@Suite struct `Property lists and other programs` {
  /// The Python script that prints a property list, one value on each line, as `canonical` prints a `Value`.
  private static let dump = """
    import sys, plistlib, datetime, struct, json, base64
    def packed(b): return base64.b64encode(b).decode()
    def string(v):
        try: return 's' + packed(v.encode())
        except UnicodeEncodeError: return 'u' + v.encode('utf-16-be', 'surrogatepass').hex()
    def text(v):
        if v is True: return 'true'
        if v is False: return 'false'
        if isinstance(v, plistlib.UID): return '#%d' % v.data
        if isinstance(v, int): return 'i%d' % v
        if isinstance(v, float): return 'r' + ('nan' if v != v else struct.pack('>d', v).hex())
        if isinstance(v, str): return string(v)
        if isinstance(v, bytes): return 'd' + packed(v)
        if isinstance(v, datetime.datetime): return 't%d' % ((v - datetime.datetime(2001, 1, 1)) // datetime.timedelta(seconds=1))
        if isinstance(v, list): return '[' + ','.join(map(text, v)) + ']'
        if isinstance(v, dict) and list(v) == ['CF$UID'] and type(v['CF$UID']) is int and v['CF$UID'] >= 0:
            return '#%d' % v['CF$UID']  # in XML, where plistlib knows no references
        if isinstance(v, dict): return '{' + ','.join(sorted(text(k) + ':' + text(x) for k, x in v.items())) + '}'
        if v is None: return 'null'
        raise ValueError(type(v))
    sys.setrecursionlimit(5000)

    """

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  static func canonical(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer(let value): "i\(value)"
    case .real(let value):
      value.isNaN
        ? "rnan"
        : "r" + hex((0..<8).reversed().map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) })
    case .single(let value): canonical(.real(Double(value)))
    case .number(let text): "n\(text)"
    case .string(let text): "s" + Data(text.utf8).base64EncodedString()
    case .unpairedString(let units): "u" + hex(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] })
    case .data(let bytes): "d" + Data(bytes).base64EncodedString()
    case .date(let seconds):
      seconds.isFinite && abs(seconds) < 1e15 ? "t\(Int64(seconds.rounded(.down)))" : "t?"
    case .uid(let number): "#\(number)"
    case .array(let values), .set(let values): "[" + values.map(canonical).joined(separator: ",") + "]"
    case .dictionary(let values):
      "{" + values.map { canonical($0.key) + ":" + canonical($0.value) }.sorted().joined(separator: ",") + "}"
    case .object, .reference: "?"
    }
  }

  @Test func `Python reads the property lists that are written`() async throws {
    let code = Self.dump + "print(text(plistlib.loads(sys.stdin.buffer.read())))"
    let expected = Self.canonical(PropertyLists.sample) + "\n"
    for bytes in try [
      PropertyLists.xml(PropertyLists.sample), PropertyLists.binary(PropertyLists.sample),
      PropertyLists.binary(PropertyLists.sample, sharing: .archiver),
    ] {
      let answer = try await Peer.python(code, input: bytes)
      #expect(answer.text == expected, "\(answer.errors)")
    }
  }

  /// Without references of an archive, integers above Int64.max and what else a peer is known not to hold.
  private static let commonSample: Value = {
    guard case .dictionary(var entries) = PropertyLists.sample else { return .null }
    for key in ["uid", "uids", "early", "reals", "lines", "not a uid", "not alone"] { entries[key] = nil }
    entries["integers"] = [0, 1, 255, 256, 65_536, 4_294_967_296, -1, .integer(-(1 << 63))]
    entries["reals"] = [1.5, 0.25, -100.125]
    return .dictionary(entries)
  }()

  @Test(arguments: ["FMT_XML", "FMT_BINARY"])
  func `Property lists that Python writes are read`(_ format: String) async throws {
    let code =
      "import sys, plistlib; v = plistlib.loads(sys.stdin.buffer.read());"
      + "sys.stdout.buffer.write(plistlib.dumps(v, fmt=plistlib.\(format), sort_keys=False))"
    let answer = try await Peer.python(code, input: PropertyLists.xml(Self.commonSample))
    try #require(answer.succeeded, "\(answer.errors)")
    let isXML = format == "FMT_XML"
    let value =
      try isXML ? PropertyLists.value(xml: answer.output) : PropertyLists.value(binary: answer.output)
    #expect(Self.canonical(value) == Self.canonical(Self.commonSample))
  }

  @Test(arguments: ["plutil", "plistutil"], [true, false])
  func `Other tools read and write the same property lists`(_ tool: String, _ isXML: Bool) async throws {
    let bytes = try isXML ? PropertyLists.xml(Self.commonSample) : PropertyLists.binary(Self.commonSample)
    let arguments =
      tool == "plutil"
      ? ["-convert", isXML ? "binary1" : "xml1", "-o", "-", "-"]
      : ["-i", "-", "-o", "-", "-f", isXML ? "bin" : "xml"]
    let answer = try await Peer.run(tool, arguments, input: bytes)
    try #require(answer.succeeded, "\(answer.errors)")
    let back =
      try isXML ? PropertyLists.value(binary: answer.output) : PropertyLists.value(xml: answer.output)
    #expect(Self.canonical(back) == Self.canonical(Self.commonSample))
  }

  @Test func `The text of an XML property list is that of Apple's writer`() async throws {
    guard case .dictionary(let entries) = Self.commonSample else { return }
    var sorted = KeyedValues()
    for (key, value) in entries.sorted(by: { ($0.key.plainText ?? "") < ($1.key.plainText ?? "") }) {
      sorted[key] = value
    }
    let text = try PropertyLists.xml(.dictionary(sorted))
    let answer = try await Peer.run("plutil", ["-convert", "xml1", "-o", "-", "-"], input: text)
    try #require(answer.succeeded, "\(answer.errors)")
    #expect(answer.text == String(decoding: text, as: UTF8.self))
  }

  @Test func `xmllint finds XML property lists well-formed`() async throws {
    let answer = try await Peer.run(
      "xmllint", ["--noout", "--nonet", "-"], input: PropertyLists.xml(PropertyLists.sample))
    #expect(answer.succeeded, "\(answer.errors)")
  }

  // MARK: Real files

  private struct File {
    let path: String
    let bytes: [UInt8]
    var isBinary: Bool { bytes.starts(with: "bplist".utf8) }
  }

  /// The property lists of the corpus in binary or XML form.
  private static func corpus(_ folders: String...) throws -> [File] {
    guard let root = ProcessInfo.processInfo.environment["FERRY_CORPUS"] else {
      try Test.cancel("FERRY_CORPUS does not name the folder of real files")
    }
    var files: [File] = []
    for folder in folders {
      let base = "\(root)/\(folder)"
      let paths = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
      for path in paths.sorted() {
        guard let data = FileManager.default.contents(atPath: "\(base)/\(path)") else { continue }
        let file = File(path: "\(base)/\(path)", bytes: [UInt8](data))
        let start = String(decoding: data.prefix(2000), as: UTF8.self)
        if file.isBinary || start.contains("<plist") { files.append(file) }
      }
    }
    return files
  }

  private static func tree(_ file: File) throws -> PropertyListTree {
    // Some of the malformed files are bombs.
    var budget = Budget()
    budget.amplificationFloor = 1 << 17
    let tree = PropertyListTree(budget: Budget())
    if file.isBinary {
      try BinaryPropertyList(file.bytes, budget: budget).replay(into: tree)
    } else {
      try XMLPropertyListReader(into: tree, budget: budget).readAll(file.bytes.span)
    }
    return tree
  }

  private static func value(_ file: File) throws -> Value {
    let builder = ValueBuilder()
    let tree = try tree(file)
    try tree.replay(tree.root, into: builder, budget: Budget())
    return try builder.result()
  }

  private static func written(_ tree: PropertyListTree, asXML isXML: Bool) throws -> [UInt8] {
    let output = MemoryOutput()
    let writer: any ValueSink =
      isXML ? XMLPropertyListWriter(to: output) : BinaryPropertyListWriter(to: output)
    try tree.replay(tree.root, into: writer, budget: Budget())
    try writer.finish()
    return output.bytes
  }

  @Test func `Every real property list is read or refused with a place`() throws {
    var refused: [String] = []
    for file in try Self.corpus("plist", "keyed") {
      do {
        _ = try Self.tree(file)
      } catch let failure as FerryError {
        #expect(!failure.location.isEmpty, "\(file.path): \(failure)")
        refused.append("\(file.path): \(failure)")
      }
    }
    let surprising = refused.filter { !$0.contains("/malformed/") && !$0.contains("/peer/") }
    #expect(surprising.isEmpty, "\(surprising.joined(separator: "\n"))")
  }

  @Test func `Real property lists come back from one representation to the other`() throws {
    for file in try Self.corpus("plist", "keyed") where file.bytes.count < 60_000 {
      guard let tree = try? Self.tree(file) else { continue }
      let binary = try Self.written(tree, asXML: false)
      let again = try Self.tree(File(path: file.path, bytes: binary))
      #expect(try Self.written(again, asXML: false) == binary, "\(file.path)")
      guard let text = try? Self.written(tree, asXML: true) else { continue }
      #expect(try Self.written(again, asXML: true) == text, "\(file.path)")
      let reread = try Self.tree(File(path: file.path, bytes: text))
      #expect(try Self.written(reread, asXML: true) == text, "\(file.path)")
    }
  }

  @Test func `Python reads the same values in real property lists`() async throws {
    let files = try Self.corpus("plist", "keyed").filter { $0.bytes.count < 60_000 }
    let code =
      Self.dump + """
        import zlib
        for path in sys.stdin.read().split('\\n'):
            try: print(zlib.crc32(text(plistlib.load(open(path, 'rb'))).encode()))
            except RecursionError: print('-')
            except Exception: print('-')
        """
    let paths = files.map(\.path).joined(separator: "\n")
    let lines = try await Peer.python(code, input: Array(paths.utf8)).text.split(separator: "\n")
    try #require(lines.count == files.count)
    var agreed = 0
    var different: [String] = []
    for (file, line) in zip(files, lines) where line != "-" {
      guard let value = try? Self.value(file) else { continue }
      if "\(CRC32.of(Array(Self.canonical(value).utf8)))" == line {
        agreed += 1
      } else {
        different.append(file.path)
      }
    }
    #expect(agreed > 500)
    #expect(different.isEmpty, "\(different.joined(separator: "\n"))")
  }

  @Test func `Archives made by Foundation come back byte for byte`() throws {
    var same = 0
    var different: [String] = []
    for file in try Self.corpus("keyed/foundation", "keyed/peer") where file.isBinary {
      let output = MemoryOutput()
      let writer = BinaryPropertyListWriter(to: output, sharing: .archiver)
      do {
        try BinaryPropertyList(file.bytes).replay(into: writer)
        try writer.finish()
      } catch { continue }
      if output.bytes == file.bytes { same += 1 } else { different.append(file.path) }
    }
    #expect(same >= 27, "\(different.joined(separator: "\n"))")
  }
}

/// The checksum of zlib, bit by bit.
private enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
  }

  static func of(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in crc >> 8 ^ table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] }
  }
}
