// The question whether two path globs can match the same path, for files that do not exist yet.
import { readGlob } from '../base/text/glob/glob-grammar.ts'

/** One step of a pattern: a character, any character of a name, any part of a name, or any path. */
type GlobStep = { kind: 'char'; char: string } | { kind: 'one' | 'name' | 'path' }

/**
 * Returns true if a path exists that both globs match. A class `[…]` counts as any character except a slash,
 * and `**` with a slash after it as any text, so the answer true may be wrong. The answer false is right,
 * except for a file that has the text of a glob as its name. Throws SyntaxError for an invalid glob.
 */
export function globsOverlap(first: string, second: string): boolean {
  const others = readGlob(second).paths.map(({ text }) => readSteps(text))
  return readGlob(first).paths.some(({ text }) => {
    const steps = readSteps(text)
    return others.some((other) => stepsMeet(steps, other))
  })
}

function readSteps(pattern: string): GlobStep[] {
  const steps: GlobStep[] = []
  // a wildcard matches a whole character, also one of two UTF-16 units
  const chars = [...pattern]
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string
    if (char === '*' && chars[at + 1] === '*') {
      steps.push({ kind: 'path' })
      at++
      // `**/` also matches without any directory, so its slash is skipped
      if (chars[at + 1] === '/') at++
    } else if (char === '*') steps.push({ kind: 'name' })
    else if (char === '?') steps.push({ kind: 'one' })
    else if (char === '[') {
      steps.push({ kind: 'one' })
      at = findClassEnd(chars, at)
    } else {
      if (char === '\\') at++
      steps.push({ kind: 'char', char: chars[at] ?? '' })
    }
  }
  return steps
}

/** Returns the index of the bracket that ends the class at `from`. A bracket at its start is part of it. */
function findClassEnd(chars: readonly string[], from: number): number {
  let at = from + (chars[from + 1] === '!' || chars[from + 1] === '^' ? 2 : 1)
  do at += chars[at] === '\\' ? 2 : 1
  while (at < chars.length && chars[at] !== ']')
  return at
}

/** Returns true if some text matches both lists of steps. The time grows with the product of both lengths. */
function stepsMeet(first: readonly GlobStep[], second: readonly GlobStep[]): boolean {
  const width = second.length + 1
  const visited = new Set<number>()
  const pending: [number, number][] = [[0, 0]]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [i, k] = next
    if (visited.has(i * width + k)) continue
    visited.add(i * width + k)
    const a = first[i]
    const b = second[k]
    if (!a && !b) return true
    if (isMany(a)) pending.push([i + 1, k])
    if (isMany(b)) pending.push([i, k + 1])
    if (a && b && canShare(a, b)) pending.push([isMany(a) ? i : i + 1, isMany(b) ? k : k + 1])
  }
  return false
}

const isMany = (step: GlobStep | undefined) => step?.kind === 'name' || step?.kind === 'path'

/** Returns true if one character fits both steps. */
function canShare(a: GlobStep, b: GlobStep): boolean {
  if (a.kind === 'char' && b.kind === 'char') return a.char === b.char
  if (a.kind === 'char') return b.kind === 'path' || a.char !== '/'
  if (b.kind === 'char') return a.kind === 'path' || b.char !== '/'
  return true
}
