// Finds a process of this machine by the identity that it has left somewhere.
import { processIdentity } from '../../base/process-identity.ts'
import { readProcess } from './proc.ts'

/** Its number; undefined where it is gone, elsewhere, or cannot be told from others. */
export function findOwnProcess(mark: string): number | undefined {
  const [pid, start, ...rest] = mark.split('-')
  const [, ownStart, ...own] = processIdentity().split('-')
  if (ownStart === '0' || rest.join() !== own.join()) return undefined
  const there = readProcess(Number(pid))
  return there && `${there.start}` === start && !there.zombie ? Number(pid) : undefined
}
