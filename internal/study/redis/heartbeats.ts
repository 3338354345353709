// Heartbeats of many leases in one script, because each script costs the server time.
import type { Fence, Journal } from '../../store/journal/journal.ts'

/**
 * Sends heartbeats for several tasks of one study. Returns for each lease that `fences` names, in their
 * order, whether it is still valid.
 */
type SendHeartbeats = (
  study: string,
  fences: readonly Fence[],
  leaseMs: number,
) => Promise<readonly boolean[]>

interface WaitingHeartbeat {
  fence: Fence
  resolve(isHeld: boolean): void
  reject(error: unknown): void
}

/**
 * Returns a function that sends one heartbeat. Heartbeats of the same study and with the same `leaseMs` that
 * are sent in the same turn of the event loop are sent together.
 */
export function groupHeartbeats(send: SendHeartbeats): Journal['heartbeat'] {
  const groups = new Map<string, WaitingHeartbeat[]>()
  const flush = async (study: string, leaseMs: number, group: readonly WaitingHeartbeat[]) => {
    try {
      const fences = group.map(({ fence }) => fence)
      const leaseStates = await send(study, fences, leaseMs)
      for (const [i, { resolve }] of group.entries()) resolve(leaseStates[i] === true)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
  return (study, fence, leaseMs) =>
    new Promise((resolve, reject) => {
      const key = `${leaseMs} ${study}`
      const one = { fence, resolve, reject }
      const group = groups.get(key)
      if (group) return void group.push(one)
      const newGroup = [one]
      groups.set(key, newGroup)
      setImmediate(() => {
        groups.delete(key)
        void flush(study, leaseMs, newGroup)
      })
    })
}
