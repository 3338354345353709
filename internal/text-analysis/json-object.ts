// Finds the JSON object in a reply that may stand in a code fence or between sentences.
import { isObject } from '../base/untrusted-json.ts'

/**
 * The outermost object, with `keys` one that has any of them, so that an example in prose is not taken for
 * it.
 */
export function findJsonObject(text: string, keys?: readonly string[]): object | undefined {
  for (let from = text.indexOf('{'); from >= 0; from = text.indexOf('{', from + 1)) {
    for (let to = text.lastIndexOf('}'); to > from; to = text.lastIndexOf('}', to - 1)) {
      const value = parseJson(text.slice(from, to + 1))
      if (isObject(value) && (keys?.some((key) => key in value) ?? true)) return value
      if (value !== undefined) break
    }
  }
  return undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // the next pair of braces may hold it
    return undefined
  }
}
