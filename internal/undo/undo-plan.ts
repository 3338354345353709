// The plan of an undo, which names the earlier content of each file that has not changed since.
import type { EventPayload } from '../event/event.ts'

/** A recorded write of a file, with its position in the thread. */
export type RecordedWrite = EventPayload<'file.written'> & { pos: number }

/** Planned change of one file by an undo. */
interface UndoStep {
  path: string
  /** Hash of the stored content to restore; null if the file is to be removed. */
  blob: string | null
  /** Permission bits that the file gets back; undefined if it is to be removed. */
  mode: number | undefined
  /**
   * Fingerprint of the present content, which must be found before it is replaced; null if the file
   * must be missing.
   */
  expect: string | null
  /** Position in the thread of the earliest write that the step reverts. */
  reverts: number
}

export interface UndoPlan {
  steps: UndoStep[]
  /** Files that the undo does not change, or changes back only in part, each with the reason. */
  left: { path: string; why: string }[]
}

/**
 * Returns the plan that undoes the writes. `current` returns the fingerprint of a file now; null for a
 * missing file. A file that already has its earlier content is not in the plan.
 */
export function planUndo(
  writes: readonly RecordedWrite[],
  current: (path: string) => string | null,
): UndoPlan {
  const plan: UndoPlan = { steps: [], left: [] }
  const paths = new Set(writes.map(({ path }) => path))
  for (const path of paths) {
    const all = writes.filter((write) => write.path === path)
    const chain = takeLinkedWrites(all)
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

/** Returns the last writes of a file, as far back as each write found the result of the previous one. */
function takeLinkedWrites(writes: readonly RecordedWrite[]): RecordedWrite[] {
  let from = writes.length - 1
  while (from > 0 && (writes[from - 1]?.after ?? null) === (writes[from]?.before?.hash ?? null)) from--
  return writes.slice(from)
}
