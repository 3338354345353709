// Identifiers that sort by time of creation.
import { monotonicFactory } from 'ulid'

let next: (() => string) | undefined

/**
 * Returns a ULID: 26 characters that sort by creation time, monotonic within this process. It is unique,
 * but not secret.
 */
export function createUlid(): string {
  // Math.random is enough, and loading node:crypto would cost every start some milliseconds
  next ??= monotonicFactory(Math.random)
  return next()
}

/** Returns `<prefix>_<ulid>`, for example `sess_01J…`. */
export function createId(prefix: string): string {
  return `${prefix}_${createUlid()}`
}
