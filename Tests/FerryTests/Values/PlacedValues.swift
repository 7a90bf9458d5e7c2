@testable import Ferry

extension Value {
  /// The value and all values inside it that have a path, each with its path. The content of an object follows the object
  /// with the same path, and the last element of a collection precedes the others.
  var placedValues: [(path: ValuePath, value: Value)] {
    var found: [(path: ValuePath, value: Value)] = []
    var waiting = [(path: ValuePath(), value: self)]
    while let next = waiting.popLast() {
      found.append(next)
      switch next.value {
      case .array(let values), .set(let values):
        waiting += values.enumerated().map { (next.path.appending(.index($0)), $1) }
      case .dictionary(let entries):
        for case (.string(let key), let value) in entries {
          waiting.append((next.path.appending(.key(key)), value))
        }
      case .object(let object): waiting.append((next.path, object.content))
      default: break
      }
    }
    return found
  }

  /// The paths of all strings, with those that are the scalar of an object, in the order of the value.
  var stringPaths: [ValuePath] {
    placedValues.reversed().compactMap { if case .string = $0.value { $0.path } else { nil } }
  }
}
