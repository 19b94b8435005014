/// The name that somebody who wrote `text` probably meant: the closest one, if it is close.
///
/// Close means one slip for each three letters (a letter more, less or different, or two swapped); upper and
/// lower case are the same.
func suggestion(for text: String, among names: some Sequence<String>) -> String? {
    let wanted = Array(text.lowercased())
    // Nobody mistypes a name of this length by a third of it.
    guard wanted.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    for name in names {
        let candidate = Array(name.lowercased())
        let allowed = max(1, max(wanted.count, candidate.count) / 3)
        guard abs(wanted.count - candidate.count) <= allowed else { continue }
        let distance = editDistance(wanted, candidate)
        guard distance <= allowed, distance < min(wanted.count, candidate.count) else { continue }
        if distance < best?.distance ?? .max { best = (name, distance) }
    }
    return best?.name
}

/// How many insertions, deletions, substitutions and swaps of neighbours lead from one text to the other
/// (Damerau–Levenshtein, each place edited once).
private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for i in left.indices {
        var current = [i + 1]
        for j in right.indices {
            var cost = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (left[i] == right[j] ? 0 : 1))
            if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                cost = min(cost, beforePrevious[j - 1] + 1)
            }
            current.append(cost)
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
}
