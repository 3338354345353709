// Reads names and arguments of calls from JSON that an endpoint sent.
import { stringOf } from '../../base/untrusted-json.ts'

/** A name or an id; some endpoints number their calls. */
export const nameOf = (value: unknown): string =>
  typeof value === 'number' ? String(value) : stringOf(value)

/** Arguments of a call as JSON text; some endpoints send the object itself. */
export function argumentText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}
