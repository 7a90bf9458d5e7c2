// Reads JSON with Foundation and writes it as a keyed archive with Foundation.
import Foundation

let bytes = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
let value = try JSONSerialization.jsonObject(with: bytes)
let archive = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
FileHandle.standardOutput.write(archive)
