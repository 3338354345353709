// Search for JSON objects in a response, where they may be in a code fence, inside text, or truncated.
import { isObject, parseJson } from '../base/untrusted-json.ts'

interface FoundObject {
  value: object
  /** Index of the first brace of the object; `to` is the index after its last brace. */
  from: number
  to: number
}

/** Largest number of pairs of braces that are parsed, outer ones first. Further pairs are ignored. */
const maxTried = 2000

/**
 * Returns the first complete object. With `keys`, returns the first one that has any of these keys, so that
 * an example in prose is skipped. Returns undefined if none is found.
 */
export function findJsonObject(text: string, keys?: readonly string[]): object | undefined {
  for (const { value } of eachObject(text)) {
    if (keys?.some((key) => key in value) ?? true) return value
  }
  return undefined
}

/**
 * Yields complete objects, even those inside an incomplete one, until `maxTried` pairs of braces have been
 * parsed. Nested objects follow outer ones.
 */
export function* eachObject(text: string): Generator<FoundObject> {
  let tried = 0
  const objectStarts = new Set<number>()
  // A quote mark in prose would hide the braces after it, so in a second pass quote marks are ignored.
  for (const quoted of [true, false]) {
    for (const [from, to] of bracePairs(text, quoted)) {
      if (objectStarts.has(from)) continue
      if (++tried > maxTried) return
      const value = parseJson(text.slice(from, to))
      if (!isObject(value)) continue
      objectStarts.add(from)
      yield { value, from, to }
    }
  }
}

/** Returns pairs of matching braces, sorted by the opening brace, in one pass for any nesting. */
function bracePairs(text: string, quoted: boolean): [from: number, to: number][] {
  const pairs: [number, number][] = []
  const open: number[] = []
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]
    if (inString && letter === '\\') at++
    else if (letter === '"' && quoted && open.length > 0) inString = !inString
    else if (inString) continue
    else if (letter === '{') open.push(at)
    else if (letter === '}' && open.length > 0) pairs.push([open.pop() as number, at + 1])
  }
  return pairs.sort(([a], [b]) => a - b)
}
