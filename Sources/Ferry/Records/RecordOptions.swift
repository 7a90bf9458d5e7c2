/// The options for mapping records.
struct RecordOptions {
  /// True to throw for objects of other classes among the records, false to send them unchanged.
  var refusesOtherClasses = false
  /// True to map objects of any class, which are values of an app's types. The schema names the class to write.
  var takesAnyClass = false
  /// True to read records of newer versions as if they had the schema's version.
  var readsNewerVersions = false
  /// True to write the older keys of fields in every format, and not only in archives.
  var writesOlderKeys = false
  /// True to send the text of a value from XML to XML as it is: 007 stays 007.
  var keepsText = false
  /// True to report keys that the schema does not describe.
  var reportsUndeclaredKeys = false
  /// True to leave out records that have the key of an earlier one, if errors do not end the conversion.
  var checksKeys = false
  /// True if records without a version have the newest one, because a schema has updated them already.
  var hasUpdatedRecords = false
  /// True to send the identities of objects to a target without objects too, whose writer makes paths of references.
  var keepsIdentities = false
  /// The limits for values that are stored as JSON text.
  var budget: Budget

  /// The options for values that refer to no objects outside themselves.
  var withoutIdentities: RecordOptions {
    var options = self
    options.keepsIdentities = false
    return options
  }
}
