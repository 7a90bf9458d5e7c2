/// A value that contains lists which may be too long for memory.
package enum SpooledValue {
  case value(Value)
  case list(SpooledList)
  case dictionary([(key: String, value: SpooledValue)])

  /// Sends the value to a sink. Does not call `finish`.
  package func replay(into sink: any ValueSink) throws(FerryError) {
    switch self {
    case .value(let value): try value.replay(into: sink)
    case .list(let list): try list.replay(into: sink)
    case .dictionary(let entries):
      try sink.beginDictionary(count: entries.count)
      for (key, value) in entries {
        try sink.key(key)
        try value.replay(into: sink)
      }
      try sink.endDictionary()
    }
  }
}
