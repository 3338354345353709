// Search for JSON objects in a response, where they may be in a code fence, within text, or truncated.
import { isObject } from '../base/untrusted-json.ts'

interface FoundObject {
  value: object
  /** Index of the first brace, and index after the last one. */
  from: number
  to: number
}

/** Limit of brace pairs that are parsed, outer ones first; a response with more contains no result. */
const maxTried = 2000

/**
 * Returns the first complete object, or with `keys` the first one with any of these keys, so that an example
 * in prose does not count. Returns undefined without such an object.
 */
export function findJsonObject(text: string, keys?: readonly string[]): object | undefined {
  for (const { value } of eachObject(text)) {
    if (keys?.some((key) => key in value) ?? true) return value
  }
  return undefined
}

/** Yields every complete object, also those inside an incomplete one; nested objects come later. */
export function* eachObject(text: string): Generator<FoundObject> {
  let tried = 0
  const found = new Set<number>()
  // a quote mark in prose hides the following text from the first pass
  for (const quoted of [true, false]) {
    for (const [from, to] of bracePairs(text, quoted)) {
      if (found.has(from)) continue
      if (++tried > maxTried) return
      const value = parseJson(text.slice(from, to))
      if (!isObject(value)) continue
      found.add(from)
      yield { value, from, to }
    }
  }
}

/** Returns matching braces, ordered by the opening ones, in one pass at any nesting. */
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // the next pair of braces may contain it
    return undefined
  }
}
