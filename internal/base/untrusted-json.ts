// Reads values of untrusted JSON by their type: whatever has another type than it should counts as absent.

export type JsonObject = Record<string, unknown>

/** True for an object that is no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const objectOf = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined)

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A string, or an empty one. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The strings of a list. */
export const stringsOf = (value: unknown): string[] =>
  listOf(value).filter((item): item is string => typeof item === 'string')

/** A count: finite and not below 0. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
