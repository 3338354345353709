// The known names that a mistyped name probably means.
import { distance } from 'fastest-levenshtein'

/**
 * Returns the known names most similar to `name`, best first, at most `count`. Case does not matter. About a
 * third of the letters may differ, in short names more. If one name begins with the other, this counts as one
 * mistake, unless `name` has one letter or the shorter known name has at most two.
 */
export function findNearest(name: string, candidates: Iterable<string>, count = 3): string[] {
  const lowerName = name.toLowerCase()
  const scored: [number, string][] = []
  for (const candidate of candidates) {
    const other = candidate.toLowerCase()
    const starts =
      (lowerName.length > 1 && other.startsWith(lowerName)) ||
      (other.length > 2 && lowerName.startsWith(other))
    const d = other === lowerName ? 0 : starts ? 1 : distance(lowerName, other)
    if (d <= maxMistakes(Math.max(lowerName.length, other.length))) scored.push([d, candidate])
  }
  scored.sort((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1))
  return scored.slice(0, count).map(([, candidate]) => candidate)
}

/** Returns the allowed number of mistakes in a name of that many letters. Exchanged letters count as two. */
function maxMistakes(letters: number): number {
  return letters < 4 ? 1 : Math.max(2, Math.floor(letters / 3))
}

/** Returns `did you mean a, b or c?`, or an empty string without a similar name. */
export function suggestNames(name: string, candidates: Iterable<string>, count = 3): string {
  const names = findNearest(name, candidates, count)
  if (names.length === 0) return ''
  const last = names.pop() as string
  return `did you mean ${names.length > 0 ? `${names.join(', ')} or ${last}` : last}?`
}
