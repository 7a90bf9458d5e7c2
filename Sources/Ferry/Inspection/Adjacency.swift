/// A directed graph in two arrays: the index of the first edge of each vertex, and the target of each edge.
///
///     0 → 1, 0 → 2, 2 → 0        starts   0 2 2 3
///                                targets  1 2 0
///
/// All walks over it take time and memory in proportion to its size. None of them recurses.
struct Adjacency: Sendable {
  private var starts: [UInt32] = [0]
  private var targets: [UInt32] = []

  var vertexCount: Int { starts.count - 1 }

  /// Adds an edge to the vertex that is being added.
  mutating func addEdge(to target: Int) { targets.append(UInt32(truncatingIfNeeded: target)) }

  /// Ends the edges of the vertex that is being added.
  mutating func finishVertex() { starts.append(UInt32(truncatingIfNeeded: targets.count)) }

  /// Returns the indices of the edges of a vertex.
  func range(of vertex: Int) -> Range<Int> { Int(starts[vertex])..<Int(starts[vertex + 1]) }

  /// Returns the target of an edge.
  func target(_ edge: Int) -> Int { Int(targets[edge]) }

  /// Returns the targets of the edges of a vertex.
  func targets(of vertex: Int) -> ArraySlice<UInt32> { targets[range(of: vertex)] }

  /// Returns the number of edges to each vertex, up to 255.
  func edgesTo() -> [UInt8] {
    var counts = [UInt8](repeating: 0, count: vertexCount)
    for target in targets where counts[Int(target)] < .max { counts[Int(target)] += 1 }
    return counts
  }
}

// MARK: - Reachable vertices

extension Adjacency {
  /// A breadth-first search from some vertices.
  struct Search {
    /// The number of vertices on the shortest path to each vertex, both ends included; 0 for unreached
    /// vertices.
    private(set) var distances: [UInt32]
    /// The predecessor of each vertex on that path; the starting vertices are their own.
    private(set) var parents: [UInt32]

    fileprivate init(_ graph: Adjacency, from roots: [Int]) {
      distances = [UInt32](repeating: 0, count: graph.vertexCount)
      parents = distances
      var queue: [UInt32] = []
      for root in roots where distances[root] == 0 {
        distances[root] = 1
        parents[root] = UInt32(root)
        queue.append(UInt32(root))
      }
      var next = 0
      while next < queue.count {
        let vertex = queue[next]
        next += 1
        for target in graph.targets(of: Int(vertex)) where distances[Int(target)] == 0 {
          distances[Int(target)] = distances[Int(vertex)] + 1
          parents[Int(target)] = vertex
          queue.append(target)
        }
      }
    }
  }

  /// Searches the graph from some vertices.
  func search(from roots: [Int]) -> Search { Search(self, from: roots) }
}

// MARK: - Cycles

extension Adjacency {
  /// The strongly connected components, found by Tarjan's algorithm: groups of vertices that can all reach
  /// each other.
  struct Components {
    /// The group of each vertex. A group has a higher number than all groups that it can reach.
    private(set) var groups: [UInt32]
    /// The number of vertices in each group.
    private(set) var sizes: [UInt32] = []
    /// For each group the weight of the heaviest path down from it: its heaviest vertex, and one path that
    /// leaves the group.
    private(set) var heights: [UInt32] = []

    /// A vertex whose edges are being followed.
    private struct Frame {
      let vertex: Int
      var edge: Int
    }

    fileprivate init(_ graph: Adjacency, weight: (Int) -> UInt32) {
      let count = graph.vertexCount
      groups = [UInt32](repeating: .max, count: count)
      /// The order of discovery of each vertex, from 1; 0 for undiscovered vertices.
      var order = [UInt32](repeating: 0, count: count)
      /// The earliest vertex of its open group that each vertex is known to reach.
      var earliest = order
      var met: UInt32 = 0
      var open: [UInt32] = []
      var frames: [Frame] = []
      func enter(_ vertex: Int) {
        met += 1
        (order[vertex], earliest[vertex]) = (met, met)
        open.append(UInt32(vertex))
        frames.append(Frame(vertex: vertex, edge: graph.range(of: vertex).lowerBound))
      }
      for start in 0..<count where order[start] == 0 {
        enter(start)
        while let frame = frames.last {
          if frame.edge < graph.range(of: frame.vertex).upperBound {
            frames[frames.count - 1].edge += 1
            let target = graph.target(frame.edge)
            if order[target] == 0 {
              enter(target)
            } else if groups[target] == .max {
              earliest[frame.vertex] = min(earliest[frame.vertex], order[target])
            }
            continue
          }
          frames.removeLast()
          if let parent = frames.last?.vertex {
            earliest[parent] = min(earliest[parent], earliest[frame.vertex])
          }
          if earliest[frame.vertex] == order[frame.vertex] {
            close(frame.vertex, &open, graph, weight)
          }
        }
      }
    }

    /// Makes a group of a vertex and all later discovered vertices without a group.
    private mutating func close(
      _ vertex: Int, _ open: inout [UInt32], _ graph: Adjacency, _ weight: (Int) -> UInt32
    ) {
      let group = UInt32(sizes.count)
      var members: [UInt32] = []
      while let member = open.popLast() {
        groups[Int(member)] = group
        members.append(member)
        if member == UInt32(vertex) { break }
      }
      var (heaviest, below): (UInt32, UInt32) = (0, 0)
      for member in members {
        heaviest = max(heaviest, weight(Int(member)))
        for target in graph.targets(of: Int(member)) where groups[Int(target)] != group {
          below = max(below, heights[Int(groups[Int(target)])])
        }
      }
      sizes.append(UInt32(members.count))
      heights.append(heaviest + below)
    }

    /// Returns the weight of the heaviest path down from a vertex.
    func height(of vertex: Int) -> Int { Int(heights[Int(groups[vertex])]) }
  }

  /// Returns the strongly connected components. `weight` is the contribution of a vertex to the height of a
  /// path.
  func components(weight: (Int) -> UInt32) -> Components { Components(self, weight: weight) }

  /// Returns the numbers of the groups that are cycles: those with several vertices, or with a vertex that
  /// has an edge to itself.
  func cyclicGroups(_ components: Components) -> Set<UInt32> {
    var cyclic: Set<UInt32> = []
    for (group, size) in components.sizes.enumerated() where size > 1 { cyclic.insert(UInt32(group)) }
    for vertex in 0..<vertexCount where components.sizes[Int(components.groups[vertex])] == 1 {
      if targets(of: vertex).contains(UInt32(vertex)) { cyclic.insert(components.groups[vertex]) }
    }
    return cyclic
  }
}
