extension XMLSource {
  /// Finds the shapes of the elements, of the whole document or of the selected ones.
  func survey(with survey: ElementShapeSurvey) throws(FerryError) {
    try selection?.requireElements("a schema describes elements")
    switch selection {
    case nil:
      try read(
        with: XMLStream(document: survey, budget: budget, entities: options.xml.entities, losses: losses))
    case .nodes(let nodes, _)?:
      for node in nodes { try node.replay(to: survey) }
    case .pattern(let pattern)?:
      let selector = ElementSelector(pattern) { events, _, _ throws(EventFailure) in
        try events.replay(to: survey, budget: budget, losses: nil)
      }
      try read(with: XMLStream(document: selector, budget: budget, entities: options.xml.entities))
    case .texts, .values: break
    }
  }
}
