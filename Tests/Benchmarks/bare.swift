// The least that a Swift program can be: what Perch is compared with.
import Glibc

print("ready")
fflush(nil)
_ = readLine()
