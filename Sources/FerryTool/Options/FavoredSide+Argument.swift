import ArgumentParser
import Ferry

extension FavoredSide: ArgumentWord {}
