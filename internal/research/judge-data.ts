// Shows whether anybody but the engine has written to what judges: ledger, open runs, locks, sealed copies, holdout.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Seat } from './desk.ts'
import { type Footprint, firstChange, lookStrictly } from './footprint.ts'
import { holdoutFile } from './refs.ts'

/** What the engine itself writes while other runs are measured. */
const living = ['ledger.jsonl', 'pending.json']

export interface JudgeData {
  footprint: Footprint
  /** The engine's own writes so far. */
  writes: number
}

export function lookAtJudgeData(seat: Seat): JudgeData {
  const found = new Map<string, string>()
  const files = [...living, 'lock.json', holdoutFile(seat.dir, seat.book.folded.active?.config.segment ?? 0)]
  for (const name of files) {
    const path = name.startsWith('/') ? name : join(seat.dir, name)
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    found.set(name, stat ? `${stat.mode} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : '-')
  }
  for (const [path, sign] of lookStrictly(join(seat.dir, 'sealed')).signs) found.set(`sealed/${path}`, sign)
  return { footprint: found, writes: seat.writes }
}

/** The first of these files that somebody else has changed since. */
export function changedJudgeData(seat: Seat, before: JudgeData): string | undefined {
  const now = lookAtJudgeData(seat)
  if (before.writes === now.writes) return firstChange(before.footprint, now.footprint)
  const apart = (footprint: Footprint) => new Map([...footprint].filter(([path]) => !living.includes(path)))
  return firstChange(apart(before.footprint), apart(now.footprint))
}
