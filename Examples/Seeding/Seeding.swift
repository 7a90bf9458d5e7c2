// An app's first document, made of data that is bundled with the app:
//
//     swift run seeding people.pplgrp        people.pplgrp: created from folks.xml
//     swift run seeding people.pplgrp        people.pplgrp: already there

import Ferry
import Foundation

/// Makes the document on the first run, and finds it there on every other.
@main
struct Seeding {
  static func main() {
    guard let document = CommandLine.arguments.dropFirst().first else { exit(64, "usage: seeding DOCUMENT") }
    guard let folks = Bundle.module.url(forResource: "folks", withExtension: "xml") else {
      exit(70, "folks.xml is not bundled")
    }
    do throws(SeedError) {
      switch try Seed(from: folks.path).seed(at: document).outcome {
      case .made: print("\(document): created from folks.xml")
      case .exists, .added: print("\(document): already there")
      }
    } catch {
      exit(1, "\(error.error.placed(inFile: error.isAboutData ? "folks.xml" : document))")
    }
  }

  private static func exit(_ status: Int32, _ message: String) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    Foundation.exit(status)
  }
}
