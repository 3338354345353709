// Plan of an undo: the earlier content of each file that has not changed since.
import type { EventPayload } from '../event/event.ts'

/** A recorded write with its place in the thread. */
export type RecordedWrite = EventPayload<'file.written'> & { pos: number }

/** Planned change of one file. */
interface UndoStep {
  path: string
  /** Blob of the content to restore; null: the file is removed. */
  blob: string | null
  /** Permission bits to restore. */
  mode: number | undefined
  /** Fingerprint of the current content that may be replaced; null: the file is missing. */
  expect: string | null
  /** The place of the earliest write that the step reverts. */
  reverts: number
}

export interface UndoPlan {
  steps: UndoStep[]
  /** Files that stay unchanged, with the reason. */
  left: { path: string; why: string }[]
}

/** Returns the plan. `current` returns the fingerprint of a file now, or null for a missing file. */
export function planUndo(
  writes: readonly RecordedWrite[],
  current: (path: string) => string | null,
): UndoPlan {
  const plan: UndoPlan = { steps: [], left: [] }
  const paths = new Set(writes.map(({ path }) => path))
  for (const path of paths) {
    const all = writes.filter((write) => write.path === path)
    const chain = unbroken(all)
    const [first] = chain
    const last = all.at(-1)
    if (!first || !last) continue
    const now = current(path)
    const before = first.before?.hash ?? null
    if (now === before) continue
    if (now !== last.after) {
      const large = 'a command wrote it, and it is too large to tell whether it was changed since'
      const why =
        now === null ? 'it was removed since' : last.after === 'unkept' ? large : 'it was changed since'
      plan.left.push({ path, why })
      continue
    }
    if (chain.length < all.length)
      plan.left.push({
        path,
        why: 'it was changed in between: only later changes are undone',
      })
    plan.steps.push({ path, blob: before, mode: first.before?.mode, expect: now, reverts: first.pos })
  }
  return plan
}

/** Returns the last writes of a file that each found the result of the previous write. */
function unbroken(writes: readonly RecordedWrite[]): RecordedWrite[] {
  let from = writes.length - 1
  while (from > 0 && (writes[from - 1]?.after ?? null) === (writes[from]?.before?.hash ?? null)) from--
  return writes.slice(from)
}
