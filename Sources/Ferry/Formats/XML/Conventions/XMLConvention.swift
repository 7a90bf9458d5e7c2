/// A convention by which XML without a schema becomes JSON, and JSON becomes XML.
///
///     <a b="1">x<c/>y</a>
///
///     ferry         {"a": {"@b": "1", "c": "", "#text": "xy"}}
///     badgerfish    {"a": {"@b": "1", "$": "xy", "c": {}}}
///     jsonml        ["a", {"b": "1"}, "x", ["c"], "y"]
///     parker        {"c": null}
///     xmltodict     {"a": {"@b": "1", "c": null, "#text": "xy"}}
///
/// JsonML keeps the order of elements and texts, and all white space. Documents in BadgerFish, Parker and xmltodict are held
/// in memory.
public enum XMLConvention: String, Sendable, CaseIterable {
  /// Ferry's own convention (see `XMLValueReader`).
  case ferry
  /// BadgerFish: every element is a dictionary, with its text as `$` and the namespaces in scope as `@xmlns`.
  case badgerfish
  /// JsonML: every element is an array of its name, its attributes and its contents.
  case jsonml
  /// Parker: the texts of elements, without attributes and without the root element. It is only read.
  case parker
  /// The convention of Python's xmltodict and of xq: like Ferry's, with null for an empty element, texts without white space around
  /// them, and a list only where an element occurs several times in the same parent.
  case xmltodict
}
