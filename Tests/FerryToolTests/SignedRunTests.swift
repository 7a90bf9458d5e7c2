import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Signed files` {
  private static let profile = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
    \t<key>PayloadDisplayName</key>
    \t<string>Office</string>
    \t<key>PayloadVersion</key>
    \t<integer>1</integer>
    </dict>
    </plist>

    """
  private static let json = #"{"PayloadDisplayName":"Office","PayloadVersion":1}"#

  private func writeProfile(_ encoding: SignedFile.Encoding = .der) throws -> [UInt8] {
    let bytes = SignedFile(Array(Self.profile.utf8), encoding).bytes
    try directory.write("office.mobileconfig", bytes)
    try directory.write("office.plist", Self.profile)
    return bytes
  }

  @Test(arguments: SignedFile.Encoding.allCases)
  func `A signed file is read like its contents`(_ encoding: SignedFile.Encoding) async throws {
    _ = try writeProfile(encoding)
    for line in [
      "ferry convert office.mobileconfig --to json", "ferry convert --to json < office.mobileconfig",
      "cat office.mobileconfig | ferry convert --to json",
      "gzip -c office.mobileconfig | ferry convert --to json",
      "mkdir -p in && cp office.mobileconfig in/ && ferry convert -r in --to json --out-dir out -q && cat out/*",
      "python3 -m zipfile -c office.zip office.mobileconfig && ferry convert office.zip --to json",
    ] {
      try await expect(line, Self.json + "\n")
    }
    try await expect("ferry get office.mobileconfig PayloadDisplayName", "Office\n")
    try await expect("ferry diff office.mobileconfig office.plist && echo same", "same\n")
    try await expect("ferry check office.mobileconfig", "office.mobileconfig: OK (plist-xml)\n")
    try await expect("ferry find Office office.mobileconfig -l", "office.mobileconfig\n")
    let inspection = try await ToolRun.ferry("inspect", "office.mobileconfig")
    #expect(inspection.output.contains("signature"), "\(inspection.output)")
    try await expect("ferry inspect --json office.mobileconfig | ferry get - signed", "true\n")
    try await expect("ferry inspect --json office.plist | ferry get - signed --default none", "none\n")
  }

  @Test func `A change is refused in place, and goes to a copy without the signature`() async throws {
    let bytes = try writeProfile()
    let message =
      "office.mobileconfig: the file is signed, and its signature would not match other contents "
      + "(use -o FILE to write the changes to a copy without the signature)"
    for line in [
      "ferry set office.mobileconfig PayloadDisplayName Home",
      "ferry remove office.mobileconfig PayloadVersion",
      "ferry insert office.mobileconfig n 1 --type integer",
      "ferry move office.mobileconfig PayloadVersion version",
      "ferry set office.mobileconfig PayloadDisplayName Home --dry-run",
      "ferry convert -i office.mobileconfig --to json",
      "EDITOR='sed -i s/Office/Home/' ferry edit office.mobileconfig",
    ] {
      let run = try await ToolRun.shell(line)
      #expect(run.status == 1, "\(line)")
      #expect(run.errors.hasPrefix(message), "\(line): \(run.errors)")
      #expect(try directory.bytes("office.mobileconfig") == bytes, "\(line)")
    }
    // A change of nothing keeps the file, and its signature.
    expectQuiet(try await .ferry("set", "office.mobileconfig", "PayloadDisplayName", "Office"))
    #expect(try directory.bytes("office.mobileconfig") == bytes)
    expectQuiet(
      try await .ferry("set", "office.mobileconfig", "PayloadDisplayName", "Home", "-o", "home.mobileconfig"))
    let copy = try String(decoding: directory.bytes("home.mobileconfig"), as: UTF8.self)
    #expect(copy == Self.profile.replacing("Office", with: "Home"))
    try await expect("ferry set office.mobileconfig PayloadDisplayName Home -o -", copy)
    try await expect(
      """
      python3 -m zipfile -c o.zip office.mobileconfig
      ferry set o.zip PayloadDisplayName Home -o home.zip && ferry get home.zip PayloadDisplayName
      """, "Home\n")
  }

  @Test func `Damaged data and a signature alone are errors with their place`() async throws {
    let bytes = try writeProfile()
    try directory.write("cut.mobileconfig", Array(bytes.dropLast(10)))
    let cut = try await ToolRun.ferry("convert", "cut.mobileconfig", "--to", "json")
    #expect(cut.status == 1)
    #expect(
      cut.errors.hasPrefix(
        "cut.mobileconfig: byte \(bytes.count - 10): the signed data is damaged: it is truncated"),
      "\(cut.errors)")
    #expect(cut.output == "")
    try directory.write("alone.p7s", SignedFile(nil).bytes)
    let alone = try await ToolRun.ferry("show", "alone.p7s")
    #expect(alone.status == 1)
    #expect(alone.errors.contains("a signature without the contents that were signed"), "\(alone.errors)")
  }

  @Test(arguments: [[String](), ["-stream"]])
  func `A file that openssl has signed is read, and still verified after a change of nothing`(
    _ options: [String]
  ) async throws {
    try directory.write("office.plist", Self.profile)
    let key = try await Peer.run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
        "/CN=Test",
        "-keyout", directory.path("key.pem"), "-out", directory.path("certificate.pem"),
      ])
    try #require(key.succeeded, "\(key.errors)")
    let signed = try await Peer.run(
      "openssl",
      [
        "cms", "-sign", "-in", directory.path("office.plist"), "-signer", directory.path("certificate.pem"),
        "-inkey",
        directory.path("key.pem"), "-outform", "DER", "-nodetach", "-binary", "-out",
        directory.path("office.mobileconfig"),
      ] + options)
    try #require(signed.succeeded, "\(signed.errors)")
    try await expect("ferry convert office.mobileconfig --to json", Self.json + "\n")
    expectQuiet(try await .ferry("set", "office.mobileconfig", "PayloadVersion", "1"))
    let verified = try await Peer.run(
      "openssl",
      [
        "cms", "-verify", "-noverify", "-inform", "DER", "-in", directory.path("office.mobileconfig"),
        "-binary",
      ])
    #expect(verified.succeeded, "\(verified.errors)")
    #expect(verified.text == Self.profile)
  }
}
