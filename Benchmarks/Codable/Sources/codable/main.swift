import Ferry
import Foundation

// codable compare                        decodes with all libraries, and fails if a result differs
// codable make FORMAT COUNT FILE         writes people
// codable decode MEASUREMENT FILE        decodes a file, and prints the milliseconds

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "compare":
  do { try Comparison.run() } catch {
    print("a value differs: \(error)")
    exit(1)
  }
  print("the values are equal")
case "make":
  let format = Format(rawValue: arguments[2]) ?? .json
  try Data(encode(Person.all(Int(arguments[3]) ?? 0), to: format)).write(to: URL(filePath: arguments[4]))
case "decode":
  let measurement = Measurement(rawValue: arguments[2]) ?? .ferryJSON
  let clock = ContinuousClock()
  var count = 0
  let time = try clock.measure { count = try measurement.decode(arguments[3]) }
  print(count, Int(time / .milliseconds(1)))
default:
  print("usage: codable compare | make FORMAT COUNT FILE | decode MEASUREMENT FILE")
}
