extension EditableFile {
  /// The most parts that are changed one by one. In large archives there are fewer, because each change looks at all
  /// objects of the archive.
  private static let parts = 8...200
  private static let objects = 20_000_000

  /// Replaces a collection or an object of an archive by JSON, by changing only the parts that differ. Every other
  /// object stays the same, so that references to it from elsewhere are kept.
  ///
  /// Returns false, without a change, if the new value is not JSON or if its parts cannot be changed one by one.
  func setParts(_ new: NewValue, at walk: Walk) throws(FerryError) -> Bool {
    guard let archive, options.representation != .raw, let json = Self.json(of: new) else { return false }
    let (old, shown) = try shown(at: walk.location)
    var changes = JSONChanges()
    let most = min(max(Self.objects / max(archive.count, 1), Self.parts.lowerBound), Self.parts.upperBound)
    guard changes.compare(old, shown: shown, with: json, at: walk.path), changes.all.count <= most,
      !changes.all.contains(where: { $0.path == walk.path })
    else { return false }
    do throws(FerryError) {
      try changeAll(checksEach: true, sharing: [:], besides: [:]) { () throws(FerryError) in
        for (change, path) in changes.all {
          switch change {
          case .set(let json): try self.change(.set(.json(json)), path)
          case .insert(let json): try self.change(.insert(.json(json)), path)
          case .remove: try remove(at: path)
          }
        }
        let location = try self.walk(to: walk.path).location
        // No message shows this error, which undoes the changes.
        guard try self.shown(at: location).json == json else {
          throw FerryError(.path(.cannotInsert("the parts cannot be changed one by one")))
        }
      }
    } catch {
      return false
    }
    return true
  }

  /// Returns JSON that a user gives as a new value, or nil for other values.
  private static func json(of new: NewValue) -> Value? {
    switch new {
    case .text(let text, .json?): try? ValueType.json.value(of: text)
    case .contents(let bytes, .json?): try? ValueType.json.value(of: text(of: bytes))
    default: nil
    }
  }
}
