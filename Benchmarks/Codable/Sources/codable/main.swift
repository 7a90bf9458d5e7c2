import Ferry
import Foundation

// codable compare                        decodes with all libraries, and fails if a result differs
// codable make FORMAT COUNT FILE         writes people
// codable decode MEASUREMENT FILE        decodes a file, and prints the milliseconds

let arguments = CommandLine.arguments
let format = arguments.count > 2 ? Format(rawValue: arguments[2]) : nil
let measurement = arguments.count > 2 ? Measurement(rawValue: arguments[2]) : nil
switch (arguments.dropFirst().first, arguments.count, format, measurement) {
case ("compare", 2, _, _):
  do { try Comparison.run() } catch {
    print("a value differs: \(error)")
    exit(1)
  }
  print("the values are equal")
case ("make", 5, let format?, _):
  try Data(encode(Person.all(Int(arguments[3]) ?? 0), to: format)).write(to: URL(filePath: arguments[4]))
case ("decode", 4, _, let measurement?):
  let clock = ContinuousClock()
  var count = 0
  let time = try clock.measure { count = try measurement.decode(arguments[3]) }
  print(count, Int(time / .milliseconds(1)))
default:
  print("usage: codable compare | make FORMAT COUNT FILE | decode MEASUREMENT FILE")
  exit(64)
}
