// Identifiers that sort by time of creation.
import { monotonicFactory } from 'ulid'

let next: (() => string) | undefined

/**
 * A ULID: 26 characters, sorts by creation time, monotonic within this process. For uniqueness, not for
 * secrets.
 */
export function createUlid(): string {
  // loading node:crypto would cost every start some milliseconds
  next ??= monotonicFactory(Math.random)
  return next()
}

/** `<prefix>_<ulid>`, for example `sess_01J…`. */
export function createId(prefix: string): string {
  return `${prefix}_${createUlid()}`
}
