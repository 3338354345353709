// Readers of untrusted JSON by type: a value of an unexpected type counts as missing.

export type JsonObject = Record<string, unknown>

/** Returns the value of a JSON text; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the value of a JSON text; any other text itself. */
export function jsonOrText(text: string): unknown {
  const value = parseJson(text)
  return value === undefined ? text : value
}

/** Returns true for an object that is not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const objectOf = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined)

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns the string, or an empty string for any other value. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the strings in a list, without its other values; empty for a value that is not a list. */
export const stringsOf = (value: unknown): string[] =>
  listOf(value).filter((item): item is string => typeof item === 'string')

/** Returns a finite number of at least 0; undefined for any other value. Fractions are allowed. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
