// Changes of the attributes of one run of an attributed string, which stores equal attributes of its runs once.

extension EditableFile {
  /// Makes a change inside the attributes of a run that other runs have, too. The run gets a copy of the attributes, because paths
  /// and `get` show them as values of their own.
  ///
  /// - Parameters:
  ///   - path: The path of the change in this file.
  ///   - walk: The walk along this path.
  /// - Returns: False, without a change, if there are no such attributes at the path.
  func changeRun(_ change: Change, _ path: ValuePath, _ walk: Walk) throws(FerryError) -> Bool {
    // Changes of the parts of one value may mean all runs. If they do not, the whole value is replaced.
    guard currentChange.depth == 1, let shared = try sharedAttributes(on: walk),
      let editor = try editor().archive
    else { return false }
    let (state, old) = (state, try value(at: shared.path))
    do throws(FerryError) {
      try editor.separate(shared.part)
      try openArchive()
      try self.change(change, path)
      if try value(at: shared.path) == old { undo(to: state) }
    } catch {
      undo(to: state)
      throw error
    }
    return true
  }

  /// Returns the attributes of a run on a walk that are also those of other runs, with their path in this file.
  private func sharedAttributes(
    on walk: Walk
  ) throws(FerryError) -> (part: ValueLocation, path: ValuePath)? {
    let path = pathInside(walk.path)
    let first = path.steps.count - walk.passed.count
    for (index, location) in walk.passed.enumerated() where location.inner.count == 2 {
      let step = path.steps[first + index]
      guard step == .key("attributes") else { continue }
      let part = location.part(step)
      if try walker.isShared(part) {
        return (part, ValuePath(Array(path.steps.prefix(first + index + 1))))
      }
    }
    return nil
  }
}
