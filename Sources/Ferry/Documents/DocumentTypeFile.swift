extension DocumentTypes {
  /// The types that a file describes, of any format that Ferry reads, and behind them those that are built in.
  public init(file path: String) throws(Failure) { self.init([]) }
}
