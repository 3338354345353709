// State file of a run, written by its process. Lists of runs read it instead of a query to each process.
import { rename, rm, writeFile } from 'node:fs/promises'
import { readJsonRecord } from '../../base/files/json-record.ts'
import type { RunSummary } from '../../server/run-summary.ts'
import type { SessionSnapshot, UserWaits } from '../../session/snapshot.ts'
import { listWaits } from '../../session/view/list-waits.ts'
import type { SessionView } from '../../session/view/session-view.ts'

/** The state of an active run in lists. */
export type RunStanding = Pick<
  RunSummary,
  'state' | 'waits' | 'end' | 'reason' | 'proof' | 'title' | 'profile' | 'model' | 'tokens' | 'usd'
>

export function describeStanding(
  view: Pick<SessionSnapshot, 'title' | 'profile' | 'model' | 'spending'> &
    UserWaits & {
      run?: object | undefined
      /** Blocks of the view, which contain the end of the latest run. Default: that end is unknown. */
      blocks?: SessionView['blocks']
    },
): RunStanding {
  const { title, profile, model, spending, run } = view
  const waits = listWaits(view)
  const state = waits.length > 0 ? 'waiting' : run ? 'running' : 'idle'
  const last = run ? undefined : view.blocks?.findLast((block) => block.kind === 'end')
  const lastEnd =
    last?.kind === 'end' ? { end: last.end, reason: last.reason ?? null, proof: last.proof ?? null } : noEnd
  const spent = { tokens: spending.input + spending.output, usd: spending.usd }
  return { state, waits, ...lastEnd, title, profile, model: model.id, ...spent }
}

const noEnd = { end: null, reason: null, proof: null }

/**
 * Milliseconds after which less important changes, such as a token count, are written. Changes of the state,
 * the waiting questions or the end are written immediately.
 */
const pauseMs = 300

interface StandingFile {
  /**
   * Writes a changed state to the file: immediately if the state, the waiting questions or the end changed,
   * otherwise after 300 ms.
   */
  update(): void
  /** Removes the file. */
  close(): Promise<void>
}

/**
 * Keeps the state file up to date. `mark` identifies the process, so that a file of an earlier
 * process is ignored.
 */
export function keepStandingFile(path: string, mark: string, read: () => RunStanding): StandingFile {
  let written = ''
  let writtenState = ''
  let isClosed = false
  let isBusy = false
  let last: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const write = async () => {
    clearTimeout(timer)
    timer = undefined
    isBusy = true
    for (let now = read(); composeText(mark, now) !== written && !isClosed; now = read()) {
      written = composeText(mark, now)
      writtenState = stateOf(now)
      last = replaceFile(path, written)
      await last
      if (stateOf(read()) === writtenState) break
    }
    isBusy = false
    update()
  }
  const update = () => {
    if (isBusy || isClosed) return
    const now = read()
    if (stateOf(now) !== writtenState) void write()
    else if (composeText(mark, now) !== written) timer ??= setTimeout(write, pauseMs).unref()
  }
  return {
    update,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await last
      await rm(path, { force: true })
    },
  }
}

const composeText = (mark: string, standing: RunStanding) => JSON.stringify({ mark, ...standing })

/** Returns the part of the state that other processes wait for. Its changes are written immediately. */
const stateOf = ({ state, waits, end }: RunStanding) => JSON.stringify([state, waits, end])

/**
 * Replaces the file without a flush to the disk (fsync), because the file is useless after the end of its
 * process. Removes the file if it cannot be written.
 */
async function replaceFile(path: string, text: string): Promise<void> {
  const next = `${path}.next`
  try {
    await writeFile(next, text, { mode: 0o600 })
    await rename(next, path)
  } catch {
    await Promise.all([rm(next, { force: true }), rm(path, { force: true })]).catch(() => undefined)
  }
}

/** Returns the state in the file if the process with this mark has written it; otherwise undefined. */
export function readStandingFile(path: string, mark: string): RunStanding | undefined {
  const { mark: writerMark, ...standing } = readJsonRecord<RunStanding & { mark: string }>(path) ?? {}
  return writerMark === mark ? (standing as RunStanding) : undefined
}
