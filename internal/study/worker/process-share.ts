// The tasks that run in this process at the same time, and the tasks that have the process to themselves.
import { setMaxListeners } from 'node:events'
import { type HeartbeatOptions, startHeartbeat } from '../engine/heartbeat.ts'

let running = 0
/** Number of tasks that wait for the process or have it to themselves. */
let demands = 0
let isTaken = false
const waiting = new Set<() => void>()

export interface ProcessPlace {
  /**
   * Waits until no other task runs in this process, and prolongs the lease meanwhile. Other tasks then wait
   * until this one has ended.
   */
  takeAlone(lease: HeartbeatOptions): Promise<void>
}

/**
 * Runs a task. First waits while another task runs alone in this process or waits to do so,
 * unless `signal` aborts.
 */
export async function runInProcess(
  signal: AbortSignal,
  run: (place: ProcessPlace) => Promise<void>,
): Promise<void> {
  // each task that waits adds a listener, so Node must not warn about their number
  if (demands > 0) setMaxListeners(0, signal)
  while (demands > 0 && !signal.aborted) await nextChange(signal)
  running++
  let isAlone = false
  const takeAlone = async (lease: HeartbeatOptions) => {
    running--
    demands++
    isAlone = true
    notifyWaiters()
    // the first write of the task fails if the lease is lost
    const heartbeat = startHeartbeat(lease, () => undefined)
    while (running > 0 || isTaken) await nextChange()
    heartbeat.stop()
    isTaken = true
  }
  try {
    await run({ takeAlone })
  } finally {
    if (isAlone) {
      demands--
      isTaken = false
    } else running--
    notifyWaiters()
  }
}

function notifyWaiters(): void {
  for (const wake of waiting) wake()
}

function nextChange(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      waiting.delete(wake)
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    waiting.add(wake)
    signal?.addEventListener('abort', wake)
  })
}
