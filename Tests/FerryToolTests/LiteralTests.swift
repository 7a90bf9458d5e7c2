import Foundation
import TestSupport
import Testing

/// The literals of `ferry plutil -convert swift` and `objc`.
@Suite(.temporaryDirectory) struct `Literals of plutil` {
  private static let text = #"""
    <plist version="1.0"><dict>
    <key>text</key><string>a "b" \(c) \s \n &lt;é🎉&gt;
    	tab&#13;</string>
    <key>ke"y\</key><integer>-9223372036854775808</integer>
    <key>big</key><integer>18446744073709551615</integer>
    <key>reals</key><array><real>0.1</real><real>0.3333333333333333</real><real>5e-324</real><real>1e300</real></array>
    <key>odd</key><array><real>nan</real><real>-inf</real></array>
    <key>mixed</key><array><integer>1</integer><string>x</string><array/><dict/></array>
    <key>lists</key><array><array><integer>1</integer></array><array><string>x</string></array></array>
    <key>none</key><dict/><key>flag</key><true/>
    """#

  /// 1e300 in the fixed notation of plutil, which has its exact value.
  private static let large =
    "10000000000000000525047602552044202487044685811081591549158541155118024579889081957863713750804478640437"
    + "04443832883878176942523235360430575644792184786706982848387200926575803737830233794788090059368953234970"
    + "799945081119038967640880074652742780142494579258788820056842838115669472196386865459400540160.000000"

  /// Runs a program that has the literals beside it. It is in the language mode 5, because global constants of the type
  /// `[String : Any]`, which plutil declares, are not allowed in that of Swift 6.
  private func run(_ program: String, _ files: String) async throws -> String {
    try directory.write("main.swift", program)
    let compiled = try await ToolRun.shell(
      "swiftc -swift-version 5 -module-cache-path cache main.swift \(files) -o program 2>&1")
    if compiled.status == 127 { try Test.cancel("swiftc is not in PATH") }
    #expect(compiled.status == 0, "\(compiled.output)")
    return try await ToolRun.shell("./program").output
  }

  @Test func `A literal of Swift compiles to the values of the property list`() async throws {
    try directory.write("my-list 2.plist", Self.text + "</dict></plist>")
    try directory.write(
      "class.plist", "<plist><array><array><integer>1</integer></array><array/></array></plist>")
    try directory.write("2.plist", "<plist><dict/></plist>")
    let made = try await ToolRun.shell("for f in *.plist; do ferry plutil -convert swift \"$f\"; done")
    expectQuiet(made)
    let output = try await run(
      """
      print(my_list_2["text"] as! String == "a \\"b\\" \\\\(c) \\\\s \\\\n <é🎉>\\n\\ttab\\r")
      print(my_list_2["ke\\"y\\\\"] as! Int == Int.min, my_list_2["big"] as! UInt64 == UInt64.max)
      print(my_list_2["reals"] as! [Double] == [0.1, 0.3333333333333333, 5e-324, 1e300])
      print((my_list_2["odd"] as! [Double])[0].isNaN, (my_list_2["odd"] as! [Double])[1])
      print((my_list_2["mixed"] as! [Any]).count, (my_list_2["lists"] as! [Any]).count, my_list_2["flag"] as! Bool)
      print((my_list_2["none"] as! [String: Any]).isEmpty, `class`.count, _2.isEmpty)
      """, "'my-list 2.swift' class.swift 2.swift")
    #expect(output == "true\ntrue true\ntrue\ntrue -inf\n4 2 true\ntrue 2 true\n")
  }

  @Test func `A literal of Swift with data and dates imports Foundation`() async throws {
    try directory.write(
      "a.plist",
      "<plist><dict><key>d</key><data>AP8=</data><key>t</key><date>2001-01-01T00:00:01Z</date></dict></plist>"
    )
    let made = try await ToolRun.ferry("plutil", "-convert", "swift", "-o", "-", "a.plist")
    #expect(
      made.output == """
        import Foundation

        /// Generated from a.plist
        let a : [String : Any] = [
            "d" : Data([0x00, 0xFF]),
            "t" : Date(timeIntervalSinceReferenceDate: 1.0),
        ]

        """)
  }

  @Test func `A literal of Objective-C has the escapes and numbers of C`() async throws {
    try directory.write("my.list.plist", Self.text + "</dict></plist>")
    let made = try await ToolRun.ferry("plutil", "-convert", "objc", "-header", "my.list.plist")
    expectQuiet(made)
    #expect(
      try directory.text("my.list.h") == """
        #import <Foundation/Foundation.h>

        /// Generated from my.list.plist
        __attribute__((visibility("hidden")))
        extern NSDictionary * const my_list;

        """)
    #expect(
      try directory.text("my.list.m") == #"""
        #import "my.list.h"

        /// Generated from my.list.plist
        __attribute__((visibility("hidden")))
        NSDictionary * const my_list = @{
            @"big" : @18446744073709551615ULL,
            @"flag" : @YES,
            @"ke\"y\\" : @(-9223372036854775807LL - 1),
            @"lists" : @[
                @[
                    @1,
                ],
                @[
                    @"x",
                ],
            ],
            @"mixed" : @[
                @1,
                @"x",
                @[
                ],
                @{
                },
            ],
            @"none" : @{
            },
            @"odd" : @[
                @(NAN),
                @(-INFINITY),
            ],
            @"reals" : @[
                @0.100000,
                @0.3333333333333333,
                @5e-324,
                @\#(Self.large),
            ],
            @"text" : @"a \"b\" \\(c) \\s \\n <é🎉>\n\ttab\r",
        };

        """#)
  }
}
