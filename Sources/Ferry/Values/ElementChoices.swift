/// An array of a type whose values are elements of several names.
protocol ElementChoices {}
