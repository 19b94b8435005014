/// This version of Perch.
public let perchVersion = "0.1.0"
