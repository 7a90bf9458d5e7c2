extension ValueDifferences {
  /// The facts about a comparison that its differences do not show.
  struct Facts {
    /// True if records of a list that differs were matched by the field that identifies them.
    var hasMatchedByKey = false
    /// True if records of a list that differs could not be matched by this field.
    var hasMissedKey = false
    /// True if elements or entries were found that have moved and changed.
    var hasSimilarPairs = false
    /// True if a document in the data of one version was compared with the value that the other version has in place of the data.
    var hasOpenedData = false
    /// The path of the first entry that differs and that an archive has beside its objects; nil if there is none. No operations change it.
    var pathOfArchiveEntry: ValuePath?
    /// The path in the old version of a value with data that another value replaces, or of a list or a set in which added elements replace
    /// such a value. Nil if there is none, or if it is not searched for.
    var replacedData: ValuePath?

    /// Adds the facts about documents in data at the paths of both versions.
    mutating func add(_ inner: Facts, at oldPath: ValuePath, _ newPath: ValuePath) {
      hasMatchedByKey = hasMatchedByKey || inner.hasMatchedByKey
      hasMissedKey = hasMissedKey || inner.hasMissedKey
      hasSimilarPairs = hasSimilarPairs || inner.hasSimilarPairs
      hasOpenedData = hasOpenedData || inner.hasOpenedData
      pathOfArchiveEntry =
        pathOfArchiveEntry ?? inner.pathOfArchiveEntry.map { newPath.appending($0.steps[...]) }
      replacedData = replacedData ?? inner.replacedData.map { oldPath.appending($0.steps[...]) }
    }
  }
}
