// Undo and redo of the file changes of a thread: planned from its events, previewed, applied as a whole.
import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dataDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import { readFileState } from '../../base/files/atomic-write.ts'
import { commitFiles } from '../../base/files/file-transaction.ts'
import { createId } from '../../base/ids.ts'
import type { EventType } from '../../event/event.ts'
import { previewChange } from '../../patch/change-preview.ts'
import { isWithin } from '../../policy/paths/path-jail.ts'
import type { RecordedEvent, Store, Thread } from '../../store/store.ts'
import type { FilePreview } from '../../tool/ask.ts'
import { readUndoHistory, undoEventTypes } from '../../undo/undo-history.ts'
import { planUndo, type RecordedWrite, type UndoPlan } from '../../undo/undo-plan.ts'

/** Which changes of a thread to undo. Default: those of the latest run whose changes can be undone. */
export interface UndoRange {
  /** Position of an event: only the changes by the call of this event. */
  at?: number
  /** Position of an event: all changes after this event. */
  after?: number
  /** True to restore what the latest undo has reverted. */
  redo?: boolean
}

/**
 * Plans an undo in the latest thread with changes that can be undone, or a redo in the latest thread with an
 * undo. Searches the latest 200 threads of the workspace. Without such a thread, returns the empty plan of
 * the latest thread that has written files, or undefined.
 */
export async function findUndo(
  store: Store,
  range: UndoRange,
  cwd: string,
): Promise<{ thread: Thread; plan: PreparedUndo } | undefined> {
  let latest: { thread: Thread; plan: PreparedUndo } | undefined
  for (const thread of store.threads.list({ workspace: realpathSync(cwd), limit: 200 })) {
    if (store.threads.tail(thread.id, 1, ['file.written']).length === 0) continue
    const plan = await prepareUndo(store, thread, range, cwd)
    if (plan.steps.length > 0) return { thread, plan }
    latest ??= { thread, plan }
  }
  return latest
}

/**
 * Plans an undo or a redo and previews it. Skips files outside of `cwd`, files that changed since, and files
 * whose earlier content is not stored. Throws UserError for a position that the thread does not have.
 */
export async function prepareUndo(
  store: Store,
  thread: Thread,
  range: UndoRange,
  cwd: string,
): Promise<PreparedUndo> {
  const { at, after, redo = false } = range
  if (at !== undefined || after !== undefined)
    return { ...(await previewUndo(store, readWrites(store, thread, range), cwd)), message: '', skipped: '' }
  const { runs, undos, latestMessage } = readUndoHistory(eventsOf(store, thread, undoEventTypes))
  const leftFiles: UndoPlan['left'] = []
  for (const { message, writes } of redo ? undos.slice(-1) : runs.toReversed()) {
    const plan = await previewUndo(store, writes, cwd)
    leftFiles.push(...plan.left.filter(({ path }) => !leftFiles.some((other) => other.path === path)))
    if (plan.steps.length === 0) continue
    return {
      ...plan,
      left: leftFiles,
      message,
      skipped: redo || message === latestMessage ? '' : latestMessage,
    }
  }
  return { steps: [], left: leftFiles, previews: [], message: '', skipped: '' }
}

function* eventsOf(store: Store, thread: Thread, types: readonly EventType[]): Generator<RecordedEvent> {
  for (let from = 0; ; ) {
    const page = store.threads.events(thread.id, from, 500, types)
    const last = page.at(-1)
    if (!last) return
    yield* page
    from = last.pos
  }
}

/**
 * Returns the writes of the call at `at`, or all writes after `after`. Throws UserError for a position that
 * the thread does not have.
 */
function readWrites(store: Store, thread: Thread, { at, after }: UndoRange): RecordedWrite[] {
  const place = at ?? after ?? 0
  if (place < 0 || place > thread.events) {
    const hint = `anode threads show ${thread.id}`
    throw new UserError(`${thread.id} has no place ${place}: it has ${thread.events} events`, { hint })
  }
  const writes: RecordedWrite[] = []
  let call: string | undefined
  for (const event of eventsOf(store, thread, ['file.written', 'tool.call', 'tool.result'])) {
    if (event.type === 'file.written') writes.push({ ...event.payload, pos: event.pos })
    if (event.pos === at) call = (event.payload as { call?: string }).call
  }
  if (at !== undefined) return writes.filter((write) => write.call === call)
  return writes.filter(({ pos }) => pos > place)
}

interface PreviewedUndo extends UndoPlan {
  previews: FilePreview['files'][number][]
}

export interface PreparedUndo extends PreviewedUndo {
  /**
   * The user's message that started the run with these changes; empty for a direct tool call, and if the
   * changes were selected by a position.
   */
  message: string
  /**
   * The latest message, if its run has no changes left and an earlier run is undone instead; otherwise empty.
   */
  skipped: string
}

async function previewUndo(
  store: Store,
  writes: readonly RecordedWrite[],
  cwd: string,
): Promise<PreviewedUndo> {
  const workspace = realpathSync(cwd)
  const now = new Map<string, string | null>()
  for (const { path } of writes) now.set(path, (await readFileState(path))?.print ?? null)
  const { steps: all, left: leftFiles } = planUndo(writes, (path) => now.get(path) ?? null)
  const steps: UndoPlan['steps'] = []
  const previews: PreparedUndo['previews'] = []
  for (const step of all) {
    if (!isWithin(step.path, workspace)) {
      leftFiles.push({ path: step.path, why: 'it is outside of this workspace' })
      continue
    }
    if (step.blob !== null && !store.blobs.get(step.blob)) {
      const isUnkept = step.blob === 'unkept'
      const why = isUnkept
        ? 'a command changed it, and its earlier content was not stored'
        : 'its earlier content is no longer stored'
      leftFiles.push({ path: step.path, why })
      continue
    }
    steps.push(step)
    const what = step.blob === null ? 'removed' : step.expect === null ? 'made again' : 'restored'
    const relativePath = step.path.slice(workspace.length + 1)
    previews.push(await previewChange(relativePath, what, await textAt(step.path), textOf(store, step.blob)))
  }
  return { steps, left: leftFiles, previews }
}

/** Records the changes in the thread under the name of `tool`, then restores all files or none. */
export async function applyUndo(
  store: Store,
  thread: Thread,
  plan: UndoPlan,
  { env, tool }: { env: EnvironmentVariables; tool: 'undo' | 'redo' },
): Promise<void> {
  const run = createId('run')
  const call = createId('call')
  const changes = plan.steps.map(({ path, blob, mode, expect }) => ({
    path,
    expect,
    bytes: blob === null ? null : (store.blobs.get(blob) ?? null),
    mode,
  }))
  for (const { path, blob, expect, reverts } of plan.steps) {
    const before = await readFileState(path)
    const bytes = await bytesAt(path)
    const whole = bytes && store.blobs.put(bytes)
    store.threads.append(thread.id, run, [
      {
        type: 'file.written',
        payload: {
          call,
          tool,
          path,
          after: blob,
          before: before && expect !== null ? { hash: before.print, mode: before.mode } : null,
          whole: whole || undefined,
          reverts: tool === 'undo' ? reverts : undefined,
        },
      },
    ])
  }
  await commitFiles(dataDir(env), changes, [thread.workspace])
}

async function bytesAt(path: string): Promise<Buffer | null> {
  return readFile(path).catch(() => null)
}

const textAt = async (path: string) => shownText(await bytesAt(path))

const textOf = (store: Store, blob: string | null) =>
  blob === null ? null : shownText(Buffer.from(store.blobs.get(blob) ?? []))

/** Returns the text to show, null for a missing file; content that is not text is described by its size. */
const shownText = (bytes: Buffer | null) =>
  bytes?.includes(0) ? `(no text, ${bytes.length} bytes)\n` : (bytes?.toString('utf8') ?? null)
