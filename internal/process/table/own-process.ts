// The search for a process of this machine by an identity that it stored.
import { processIdentity } from '../../base/process-identity.ts'
import { readProcess } from './descendants.ts'

/**
 * Returns the id of the process that `mark` identifies; undefined if it has ended, runs on another machine,
 * or cannot be identified.
 */
export function findOwnProcess(mark: string): number | undefined {
  const [pid, start, ...rest] = mark.split('-')
  const [, ownStart, ...ownRest] = processIdentity().split('-')
  if (ownStart === '0' || rest.join() !== ownRest.join()) return undefined
  const there = readProcess(Number(pid))
  return there && `${there.start}` === start && !there.zombie ? Number(pid) : undefined
}
