// How a run stands, written by its own process: who lists runs reads files instead of asking each of them.
import { rename, rm, writeFile } from 'node:fs/promises'
import { readJsonRecord } from '../../base/files/json-record.ts'
import type { RunSummary } from '../../server/run-summary.ts'
import type { SessionSnapshot } from '../../session/snapshot.ts'

/** What lists show of a run while it lives. */
export type RunStanding = Pick<
  RunSummary,
  'state' | 'waits' | 'title' | 'profile' | 'model' | 'tokens' | 'usd'
>

export function describeStanding(
  view: Pick<SessionSnapshot, 'title' | 'profile' | 'model' | 'spending' | 'waits' | 'questions'> & {
    run?: object | undefined
  },
): RunStanding {
  const { title, profile, model, spending, run, questions } = view
  const waits = [
    ...view.waits.map(({ tool }) => tool),
    ...questions.map(({ questionnaire }) => questionnaire.questions[0]?.question ?? ''),
  ]
  const state = waits.length > 0 ? 'waiting' : run ? 'running' : 'idle'
  const spent = { tokens: spending.input + spending.output, usd: spending.usd }
  return { state, waits, title, profile, model: model.id, ...spent }
}

/** At most one write in this time where only figures have changed. */
const pauseMs = 300

interface StandingFile {
  /** Writes what has changed, soon. */
  update(): void
  /** Removes the file. */
  close(): Promise<void>
}

/** `mark` is the identity of the process: what another one has left says nothing of this. */
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

/** What somebody may wait for. */
const stateOf = ({ state, waits }: RunStanding) => JSON.stringify([state, waits])

/** Not made durable: it is of no use once the process is gone. What cannot be written is left out whole. */
async function replaceFile(path: string, text: string): Promise<void> {
  const next = `${path}.next`
  try {
    await writeFile(next, text, { mode: 0o600 })
    await rename(next, path)
  } catch {
    await Promise.all([rm(next, { force: true }), rm(path, { force: true })]).catch(() => undefined)
  }
}

/** Undefined where the process of that identity has written none. */
export function readStandingFile(path: string, mark: string): RunStanding | undefined {
  const { mark: own, ...standing } = readJsonRecord<RunStanding & { mark: string }>(path) ?? {}
  return own === mark ? (standing as RunStanding) : undefined
}
