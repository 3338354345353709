// The reader of call names and arguments in JSON from an endpoint.
import { stringOf } from '../../base/untrusted-json.ts'

/**
 * Returns a name or an id as text, because some endpoints number their calls. Other values give
 * an empty text.
 */
export const nameOf = (value: unknown): string =>
  typeof value === 'number' ? String(value) : stringOf(value)

/**
 * Returns the arguments of a call as JSON text, because some endpoints send the object itself. Empty
 * for other values.
 */
export function argumentText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}
