import ArgumentParser
import Ferry

extension FavoredSide: ExpressibleByArgument {}
