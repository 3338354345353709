// The threads and studies that this process creates, for a command that records what it runs.

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
