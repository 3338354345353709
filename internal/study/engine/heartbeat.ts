// Heartbeat of a lease: the lease is extended at regular intervals while its owner works.
import type { Fence, Journal } from '../../store/journal/journal.ts'

/** Milliseconds until a lease without a heartbeat expires. */
export const leaseMs = 10_000

/** Milliseconds between two heartbeats. Four of them can be lost before the lease expires. */
export const heartbeatMs = 2_000

export interface HeartbeatOptions {
  journal: Journal
  study: string
  fence: Fence
  /** Milliseconds that the lease lasts after each heartbeat. */
  leaseMs: number
  /** Milliseconds between two heartbeats. */
  heartbeatMs: number
}

interface LeaseHeartbeat {
  /**
   * Sends a heartbeat immediately, or waits for the one in progress. Rejects with the error of the journal
   * or of `onBeat`.
   */
  beat(): Promise<void>
  stop(): void
}

/**
 * Starts the heartbeat, which the caller stops. After each heartbeat that the journal has answered,
 * `onBeat` is called, with true if this process still has the lease. A heartbeat is complete when
 * `onBeat` has resolved.
 */
export function startHeartbeat(
  { journal, study, fence, leaseMs, heartbeatMs }: HeartbeatOptions,
  onBeat: (isHeld: boolean) => void | Promise<void>,
): LeaseHeartbeat {
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
  // All leases of a process beat at the same times, so that the journal can write them together.
  const nextMs = () => heartbeatMs - (performance.now() % heartbeatMs)
  const tick = () => {
    timer = setTimeout(tick, nextMs())
    // The error is ignored here, because the next write fails with the same error and reports it.
    void beat().catch(() => undefined)
  }
  let timer = setTimeout(tick, nextMs())
  return { beat, stop: () => clearTimeout(timer) }
}
