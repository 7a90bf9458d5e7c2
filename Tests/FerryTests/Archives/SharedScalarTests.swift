import Testing

@testable import Ferry

@Suite struct `Shared objects that are scalars` {
  private static let document = #"""
    {"$ferry":1,"$archiver":"NSKeyedArchiver","$top":{"root":[
      {"$class":"NSMutableString","$id":1,"NS.string":"shared"},{"$ref":1},
      {"$class":"NSURL","$id":2,"NS.base":null,"NS.relative":"x:y"},{"$ref":2},
      {"$class":"NSMutableData","$id":3,"NS.data":{"$data":"AAEC"}},{"$ref":3},{"$class":"Person","name":"Ada"}]}}
    """#

  @Test func `They stay shared in an archive with other class names, and in a part of it`() throws {
    let bytes = try Conversion(to: .archive).convert(Array(Self.document.utf8)).bytes
    var renaming = Conversion(to: .archive)
    renaming.classNames = ["Person": "Human"]
    let renamed = try renaming.convert(bytes).bytes
    let output = MemoryOutput()
    _ = try EditableFile(bytes).write([ValuePath()], as: WritingOptions(to: .archive), to: output)
    for bytes in [renamed, output.bytes] {
      let file = try EditableFile(bytes)
      for index in [0, 2, 4] {
        let numbers = try [index, index + 1].map { index in
          try file.walker.target(of: file.walk(to: ValuePath([.index(index)])).location).trail
        }
        #expect(numbers[0].children == numbers[1].children, "\(index)")
      }
    }
  }

  @Test func `In JSON, each is in full`() throws {
    let bytes = try Conversion(to: .archive).convert(Array(Self.document.utf8)).bytes
    let json = try Conversion(to: .json).convert(bytes).bytes
    #expect(
      String(decoding: json, as: UTF8.self)
        == #"["shared","shared","x:y","x:y","AAEC","AAEC",{"name":"Ada"}]"# + "\n")
  }
}
