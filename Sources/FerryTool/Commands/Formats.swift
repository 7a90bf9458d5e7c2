import ArgumentParser
import Ferry

/// `ferry formats`: what is known.
struct Formats: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "List the formats, and what each cannot hold.")

  func run() throws {
    for format in Format.allCases {
      let names = ([format.rawValue] + format.aliases).joined(separator: ", ")
      print(names)
      print("  \(format.summary)")
      if !format.extensions.isEmpty {
        print("  files: \(format.extensions.map { ".\($0)" }.joined(separator: " "))")
      }
      let reading = format.streams ? "streams: memory stays flat" : "read whole"
      print("  \(format.canWrite ? reading : reading + ", not written")")
      guard format.canWrite else { continue }
      let missing = format.holding.missing
      if !missing.isEmpty { print("  cannot hold: \(missing.joined(separator: ", "))") }
    }
    print("schemas: \(Schema.builtIn.map(\.name).joined(separator: ", "))")
  }
}
