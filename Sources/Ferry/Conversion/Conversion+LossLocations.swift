extension Conversion {
  /// Gives the losses in values their source locations, for which the input is read once more, if that is possible.
  func locate(
    _ losses: LossReport, in source: OpenedInput, _ detected: DetectedInput, _ options: ReadingOptions
  ) {
    defer {
      // The byte is that of the text in UTF-8.
      if detected.fileInArchive != nil {
        losses.changeLocations { $0.location = InputLocation() }
      } else if !detected.showsBytes {
        losses.changeLocations { loss in if loss.location.line != nil { loss.location.byte = nil } }
      }
    }
    guard locatesLosses, !locatesOnlyRepeatedKeys || !source.format.isOfElements else { return }
    let locations = ValueLocations()
    for loss in losses.losses
    where loss.location.isEmpty && (!locatesOnlyRepeatedKeys || loss.kind == .duplicateKey) {
      locations.add(loss.path, isRepeatedKey: loss.kind == .duplicateKey)
    }
    guard !locations.isEmpty else { return }
    let locator = SourceLocator(locatesValues: true, locatesElements: true)
    let failed = keepsGoing ? FailedRecords() : nil
    let sink = LocatingSink(
      locations, locator, failed, locatesListsAtElements: source.format.isOfElements)
    source.sendAgain { () throws(FerryError) in
      switch source.contents {
      case .stream, .elements: try source.input.rewind()
      case .nodes: break
      case .typedstream, .database, .files: return
      }
      try source.send(
        into: sink, options, losses: LossReport(limit: 0), failed: failed, locator: locator)
    }
    losses.changeLocations { loss in
      guard loss.location.isEmpty else { return }
      loss.location = locations.location(of: loss.path, isRepeatedKey: loss.kind == .duplicateKey)
    }
  }
}

extension OpenedInput {
  /// Sends the value once more. An error ends that, and the notes on the first sending stay.
  fileprivate func sendAgain(_ send: () throws(FerryError) -> Void) {
    let kept = (notes, listForms, recordElements, columnsWithoutRows)
    recordElements = nil
    do throws(FerryError) { try send() } catch {
      // The locations that were found before the error are used.
    }
    (notes, listForms, recordElements, columnsWithoutRows) = kept
  }
}
