import TestSupport
import Testing

@Suite(.temporaryDirectory) struct `Attributes of replaced files` {
  /// A Python program that sets an attribute and an access control list, which permits user 1234 to write and the group nothing.
  private static let setting = """
    import os, struct
    entries = [(1, 6, 2**32 - 1), (2, 6, 1234), (4, 0, 2**32 - 1), (16, 6, 2**32 - 1), (32, 0, 2**32 - 1)]
    acl = struct.pack('<I', 2) + b''.join(struct.pack('<HHI', *entry) for entry in entries)
    os.setxattr('a.json', 'user.note', b'kept')
    os.setxattr('a.json', 'system.posix_acl_access', acl)
    """
  private static let listing = """
    import os
    print(oct(os.stat('a.json').st_mode), *[(n, os.getxattr('a.json', n)) for n in sorted(os.listxattr('a.json'))])
    """

  @Test(arguments: [
    "ferry set a.json a 2", "ferry convert -i --to jsonl a.json", "ferry convert b.json -o a.json --force",
    "echo '[]' | ferry patch a.json - && ferry insert a.json b 3",
  ])
  func `A file keeps its access control list and its extended attributes`(_ line: String) async throws {
    for name in ["a.json", "b.json"] { try directory.write(name, "{\"a\":1}\n") }
    try directory.write("set.py", Self.setting)
    try directory.write("list.py", Self.listing)
    guard try await ToolRun.shell("python3 set.py").status == 0 else {
      try Test.cancel("the file system has no extended attributes, or there is no Python")
    }
    let before = try await ToolRun.shell("python3 list.py")
    let run = try await ToolRun.shell(line)
    #expect(run.status == 0, "\(run.errors)")
    let after = try await ToolRun.shell("python3 list.py")
    #expect(after.output == before.output)
    #expect(after.output.contains("user.note"))
  }
}
