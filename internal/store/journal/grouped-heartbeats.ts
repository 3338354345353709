// Heartbeats, which extend the leases of tasks, in one transaction. A write waits for the disk, so 256
// separate writes would take longer than the leases last.
import type { DatabaseConnection } from '../connection.ts'
import type { Fence, Journal } from './journal.ts'
import { recordHeartbeat } from './lease-fencing.ts'

interface GroupedHeartbeats {
  heartbeat: Journal['heartbeat']
  /** Writes the waiting heartbeats now. */
  flush(): void
}

interface WaitingHeartbeat {
  study: string
  fence: Fence
  leaseMs: number
  resolve(isHeld: boolean): void
  reject(error: unknown): void
}

/** Groups the heartbeats that are sent in the same turn of the event loop. */
export function groupHeartbeats(db: DatabaseConnection, now: () => number): GroupedHeartbeats {
  let waiting: WaitingHeartbeat[] = []
  const flush = () => {
    const group = waiting
    waiting = []
    if (group.length === 0) return
    try {
      const settle = db.write(() => group.map((one) => record(db, now(), one)))
      for (const done of settle) done()
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
  return {
    flush,
    heartbeat: (study, fence, leaseMs) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ study, fence, leaseMs, resolve, reject })
      }),
  }
}

/** Records one heartbeat. Returns the function that settles it once the transaction is stored. */
function record(
  db: DatabaseConnection,
  nowMs: number,
  { study, fence, leaseMs, resolve, reject }: WaitingHeartbeat,
): () => void {
  try {
    const isHeld = recordHeartbeat(db, nowMs, study, fence, leaseMs)
    return () => resolve(isHeld)
  } catch (error) {
    // The heartbeat for an unknown study has written nothing, and those for other studies are valid.
    return () => reject(error)
  }
}
