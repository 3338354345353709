// Undoes what the tools of a thread have written: planned from its record, shown, put back whole or not.
import { realpathSync } from 'node:fs'
import { dataDir } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { readFileState } from '../../base/files/atomic-write.ts'
import { commitFiles } from '../../base/files/file-transaction.ts'
import { createId } from '../../base/ids.ts'
import { previewChange } from '../../patch/change-preview.ts'
import { isWithin } from '../../policy/paths/path-jail.ts'
import type { Store, Thread } from '../../store/store.ts'
import type { FilePreview } from '../../tool/ask.ts'
import { standingWrites } from '../../undo/standing-writes.ts'
import { planUndo, type RecordedWrite, type UndoPlan } from '../../undo/undo-plan.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Which writes of a thread. */
export interface UndoRange {
  /** Only the call with an event at this place. */
  at?: number
  /** Everything after this place. */
  after?: number
}

/** The newest thread of the workspace that has written files; undefined where none has. */
export function findWritingThread(store: Store, cwd: string): Thread | undefined {
  const threads = store.threads.list({ workspace: realpathSync(cwd), limit: 200 })
  return threads.find(({ id }) => store.threads.tail(id, 1, ['file.written']).length > 0)
}

/**
 * The writes of a range; without one those since the last message of a person. Throws UserError for a place
 * that the thread does not have.
 */
export function readWrites(store: Store, thread: Thread, { at, after }: UndoRange): RecordedWrite[] {
  const place = at ?? after
  if (place !== undefined && (place < 0 || place > thread.events)) {
    const hint = `see \`anode threads show ${thread.id}\``
    throw new UserError(`${thread.id} has no place ${place}: it has ${thread.events}`, { hint })
  }
  const writes: RecordedWrite[] = []
  let since = after ?? 0
  let call: string | undefined
  for (let from = 0; ; ) {
    const page = store.threads.events(thread.id, from, 500, [
      'file.written',
      'message',
      'tool.call',
      'tool.result',
    ])
    if (page.length === 0) break
    for (const event of page) {
      from = event.pos
      if (event.type === 'file.written') writes.push({ ...event.payload, pos: event.pos })
      else if (event.type === 'message' && event.payload.role === 'user' && place === undefined)
        since = event.pos
      const of = event.type === 'message' ? undefined : (event.payload as { call?: string }).call
      if (event.pos === at) call = of
    }
  }
  if (at !== undefined) return writes.filter((write) => write.call === call)
  const within = writes.filter(({ pos }) => pos > since)
  if (after !== undefined) return within
  const paths = [...new Set(within.map(({ path }) => path))]
  return paths.flatMap((path) => standingWrites(within.filter((write) => write.path === path)))
}

interface PreparedUndo extends UndoPlan {
  previews: FilePreview['files'][number][]
}

/** Plans and shows. Files outside of `cwd` and places that are guarded there stay as they are. */
export async function prepareUndo(
  store: Store,
  writes: readonly RecordedWrite[],
  cwd: string,
): Promise<PreparedUndo> {
  const workspace = realpathSync(cwd)
  const now = new Map<string, string | null>()
  for (const { path } of writes) now.set(path, (await readFileState(path))?.print ?? null)
  const { steps: all, left } = planUndo(writes, (path) => now.get(path) ?? null)
  const steps: UndoPlan['steps'] = []
  const previews: PreparedUndo['previews'] = []
  for (const step of all) {
    if (!isWithin(step.path, workspace)) {
      left.push({ path: step.path, why: 'it lies outside of this workspace' })
      continue
    }
    if (step.blob !== null && !store.blobs.get(step.blob)) {
      const isUnkept = step.blob === 'unkept'
      const why = isUnkept
        ? 'a command changed it, and what it held before was not kept'
        : 'what it held before is no longer kept'
      left.push({ path: step.path, why })
      continue
    }
    steps.push(step)
    const what = step.blob === null ? 'removed' : step.expect === null ? 'made again' : 'put back'
    const shown = step.path.slice(workspace.length + 1)
    previews.push(await previewChange(shown, what, await textAt(step.path), textOf(store, step.blob)))
  }
  return { steps, left, previews }
}

/** Puts everything back or nothing, and records it in the thread like any other write. */
export async function applyUndo(store: Store, thread: Thread, plan: UndoPlan, env: Env): Promise<void> {
  const run = createId('run')
  const call = createId('call')
  const changes = plan.steps.map(({ path, blob, mode, expect }) => ({
    path,
    expect,
    bytes: blob === null ? null : (store.blobs.get(blob) ?? null),
    mode,
  }))
  for (const { path, blob, expect } of plan.steps) {
    const before = await readFileState(path)
    const bytes = await bytesAt(path)
    const whole = bytes && store.blobs.put(bytes)
    store.threads.append(thread.id, run, [
      {
        type: 'file.written',
        payload: {
          call,
          tool: 'undo',
          path,
          after: blob,
          before: before && expect !== null ? { hash: before.print, mode: before.mode } : null,
          whole: whole || undefined,
        },
      },
    ])
  }
  await commitFiles(dataDir(env), changes, [thread.workspace])
}

async function bytesAt(path: string): Promise<Buffer | null> {
  const { readFile } = await import('node:fs/promises')
  return readFile(path).catch(() => null)
}

const textAt = async (path: string) => shownText(await bytesAt(path))

const textOf = (store: Store, blob: string | null) =>
  blob === null ? null : shownText(Buffer.from(store.blobs.get(blob) ?? []))

/** What is no text is told by its size. */
const shownText = (bytes: Buffer | null) =>
  bytes?.includes(0) ? `(no text, ${bytes.length} bytes)\n` : (bytes?.toString('utf8') ?? null)
