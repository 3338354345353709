// The heartbeat of a lease: prolongs it at regular intervals for as long as its holder works.
import type { Fence, Journal } from '../../store/journal/journal.ts'

/** Milliseconds for which a lease holds without a heartbeat. */
export const leaseMs = 10_000

/** Milliseconds between two heartbeats: four of them may be lost within a lease. */
export const heartbeatMs = 2_000

export interface HeartbeatOptions {
  journal: Journal
  study: string
  fence: Fence
  /** How long the lease lasts after each beat. */
  leaseMs: number
  /** Time between two beats. */
  heartbeatMs: number
}

interface Heartbeat {
  /** Beats now; resolves with the beat that is under way when there is one. Rejects when the journal does. */
  beat(): Promise<void>
  stop(): void
}

/** `onBeat` learns whether the lease is still held; a beat lasts until it is done. Stop it when done. */
export function startHeartbeat(
  { journal, study, fence, leaseMs, heartbeatMs }: HeartbeatOptions,
  onBeat: (isHeld: boolean) => void | Promise<void>,
): Heartbeat {
  let current: Promise<void> | undefined
  const beat = () => {
    current ??= journal
      .heartbeat(study, fence, leaseMs)
      .then(onBeat)
      .finally(() => {
        current = undefined
      })
    return current
  }
  // the next write meets the same trouble with the journal, and reports it
  const timer = setInterval(() => void beat().catch(() => undefined), heartbeatMs)
  return { beat, stop: () => clearInterval(timer) }
}
