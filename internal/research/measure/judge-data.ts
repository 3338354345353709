// Detection of writes by other programs to the judge's data: ledger, open runs, locks, copies of locked
// files, and the secret second check (holdout).
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { holdoutFile } from '../git/session-refs.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'
import { type FolderFootprint, firstChange, takeStrictFootprint } from '../workspace/folder-footprint.ts'

/** Files that the engine itself writes while other runs are measured. */
const living = ['ledger.jsonl', 'pending.json']

interface JudgeData {
  footprint: FolderFootprint
  /**
   * Number of starts and ends of writes by the engine so far. If it has changed, the engine itself may have
   * changed the files `living`.
   */
  writes: number
}

export function readJudgeData(session: LockedSession): JudgeData {
  const fileSigns = new Map<string, string>()
  const files = [
    ...living,
    'lock.json',
    holdoutFile(session.dir, session.ledgerFile.folded.active?.config.segment ?? 0),
  ]
  for (const name of files) {
    const path = name.startsWith('/') ? name : join(session.dir, name)
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    fileSigns.set(name, stat ? `${stat.mode} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : '-')
  }
  for (const [path, sign] of takeStrictFootprint(join(session.dir, 'sealed')).signs)
    fileSigns.set(`sealed/${path}`, sign)
  return { footprint: fileSigns, writes: session.writes }
}

/**
 * Returns the first file of the judge's data that another program has changed since `before`, or undefined.
 * If the engine itself has written since then, the ledger and the open runs are not compared.
 */
export function changedJudgeData(session: LockedSession, before: JudgeData): string | undefined {
  const now = readJudgeData(session)
  if (before.writes === now.writes) return firstChange(before.footprint, now.footprint)
  const apart = (footprint: FolderFootprint) =>
    new Map([...footprint].filter(([path]) => !living.includes(path)))
  return firstChange(apart(before.footprint), apart(now.footprint))
}
