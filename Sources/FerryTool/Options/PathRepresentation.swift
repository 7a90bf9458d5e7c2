import ArgumentParser
import Ferry

/// The forms of an archive through which paths can lead.
enum PathRepresentation: String, ArgumentWord {
  case plain, raw

  var representation: Representation {
    switch self {
    case .plain: .plain
    case .raw: .raw
    }
  }
}
