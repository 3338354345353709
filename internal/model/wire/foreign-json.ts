// Reads fields of JSON that an endpoint sent: whatever has another type than it should counts as absent.

export type ForeignObject = Readonly<Record<string, unknown>>

export const objectOf = (value: unknown): ForeignObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ForeignObject) : undefined

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A string, or an empty one. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A count: finite and not below 0. */
export const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

/** A name or an id; some endpoints number their calls. */
export const nameOf = (value: unknown): string =>
  typeof value === 'number' ? String(value) : stringOf(value)

/** Arguments of a call as JSON text; some endpoints send the object itself. */
export function argumentText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}
