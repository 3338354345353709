// What undoing takes: for each file what it was before, where nobody has touched it since.
import type { EventPayload } from '../event/event.ts'

/** A recorded write with its place in the thread. */
export type RecordedWrite = EventPayload<'file.written'> & { pos: number }

/** What is to become of one file. */
interface UndoStep {
  path: string
  /** Blob of the content to put back; null: the file is to be removed. */
  blob: string | null
  /** Permission bits to put back. */
  mode: number | undefined
  /** Fingerprint of what is there now and may be replaced; null: nothing is there. */
  expect: string | null
}

export interface UndoPlan {
  steps: UndoStep[]
  /** Files that stay as they are, with the reason. */
  left: { path: string; why: string }[]
}

/** `current` gives the fingerprint of a file as it is now, null where there is none. Pure but for it. */
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
        why: 'somebody else changed it in between: only what came after that is undone',
      })
    plan.steps.push({ path, blob: before, mode: first.before?.mode, expect: now })
  }
  return plan
}

/** The last writes of a file of which each found what the one before it had left. */
function unbroken(writes: readonly RecordedWrite[]): RecordedWrite[] {
  let from = writes.length - 1
  while (from > 0 && (writes[from - 1]?.after ?? null) === (writes[from]?.before?.hash ?? null)) from--
  return writes.slice(from)
}
