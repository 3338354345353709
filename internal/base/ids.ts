// Identifiers that sort by time of creation.
import { monotonicFactory } from 'ulid'

const next = monotonicFactory()

/** A ULID: 26 characters, sorts by creation time, monotonic within this process. */
export function ulid(): string {
  return next()
}

/** `<prefix>_<ulid>`, for example `sess_01J…`. */
export function id(prefix: string): string {
  return `${prefix}_${next()}`
}
