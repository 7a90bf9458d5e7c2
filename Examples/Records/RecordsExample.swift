import Ferry
import Foundation

/// Prints the records of a file in any format as lines of JSON, in memory that does not grow with the file.
///
///     swift run records people.xml                     {"firstName":"Ada",…} on a line of its own
///     swift run records people.json 'people[*].name'   "Ada"
@main struct RecordsExample {
  static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 2 || arguments.count == 3 else {
      print("usage: records FILE [PATH]")
      exit(64)
    }
    var settings = RecordSettings.values
    if arguments.count == 3 { settings.reading.select = arguments[2] }
    do {
      let output = try FileOutput(path: "/dev/stdout")
      for try await line in Records(as: .jsonLines, from: .file(arguments[1]), settings) {
        try output.write(line.span)
      }
      try output.commit()
    } catch {
      // The records before the error were printed.
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }
}
