// Identifiers that sort by time of creation, and the threads and studies that this process has created, for a
// command that records what it runs.
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

interface CreatedRecord {
  kind: 'thread' | 'study'
  id: string
}

let created: CreatedRecord[] | undefined

/** Starts to collect the threads and studies that this process creates, in the order of their creation. */
export function collectCreated(): void {
  created = []
}

export function noteCreated(record: CreatedRecord): void {
  created?.push(record)
}

export const listCreated = (): readonly CreatedRecord[] => created ?? []
