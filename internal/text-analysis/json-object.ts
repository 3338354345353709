// Finds JSON objects in a reply that may stand in a code fence, between sentences, or be cut off.
import { isObject } from '../base/untrusted-json.ts'

interface FoundObject {
  value: object
  /** Where it stands: from the first brace up to behind the last. */
  from: number
  to: number
}

/** Pairs of braces that are tried, outer ones first; a reply with more holds no result. */
const maxTried = 2000

/**
 * The outermost object, with `keys` one that has any of them, so that an example in prose is not taken for
 * it.
 */
export function findJsonObject(text: string, keys?: readonly string[]): object | undefined {
  for (const { value } of eachObject(text)) {
    if (keys?.some((key) => key in value) ?? true) return value
  }
  return undefined
}

/** Every object that is whole, also those inside of one that is not; objects within objects come after. */
export function* eachObject(text: string): Generator<FoundObject> {
  let tried = 0
  const found = new Set<number>()
  // a quotation mark in prose hides what follows from the first reading
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

/** Braces that belong together, in the order of the opening ones; one pass, however they are nested. */
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
    // the next pair of braces may hold it
    return undefined
  }
}
