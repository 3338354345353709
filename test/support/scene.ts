// Scenes of a session for tests: events in sequence, keys in between, and captures of the screen.
import { readFileSync } from 'node:fs'
import { expect, vi } from 'vitest'
import type { Event } from '../../internal/event/event.ts'
import type { SessionClient, SessionEvent, SessionService } from '../../internal/session/client.ts'
import { emptyView, takeSnapshot } from '../../internal/session/view/session-view.ts'
import type { SessionIo, SessionScreenOptions } from '../../internal/tui/screen-options.ts'
import { openSessionScreen } from '../../internal/tui/session-screen.ts'
import { emulateTerminal, forbiddenBytes } from './emulator.ts'
import { scratch } from './scratch.ts'
import { startedAt } from './session-view.ts'

/** One line of the file. `seen` waits, `capture` stores the screen under this name. */
type SceneStep = { keys: string } | { seen: string } | { capture: string } | Pick<Event, 'type' | 'payload'>

export interface SceneLook {
  columns: number
  rows: number
  form: SessionScreenOptions['form']
  theme?: NonNullable<SessionScreenOptions['theme']>
  env?: Readonly<Record<string, string>>
  /** Whether colors and weights are written into the capture. */
  isStyled?: boolean
}

const thread = 'sess_01JD3K8QAA'

/** Returns a client for a scene: it returns each event on request and accepts every command. */
function sceneClient() {
  let pos = 0
  const events: SessionEvent[] = []
  let wake: () => void = () => undefined
  const base = {
    ...{ ...emptyView(thread), profile: 'craft', mode: 'auto' as const },
    ...{
      model: { id: 'openai/gpt-5.4', kind: 'language' as const },
      context: { tokens: 0, window: 400_000 },
    },
  }
  events.push({ type: 'session.snapshot', payload: takeSnapshot(base) })
  const client: SessionClient = {
    ...{ thread, openedAt: 0 },
    async *readEvents(_, signal) {
      signal.addEventListener('abort', () => wake())
      for (let at = 0; !signal.aborted; ) {
        if (at < events.length) yield events[at++] as SessionEvent
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
    readHistory: async () => [],
    async *readTopic() {
      // no scene has subagents or status pages
    },
    readBlob: async () => '',
    findMentions: async () => [],
    async sendCommand({ type }) {
      if (type === 'interrupt') give({ type: 'run.ended', payload: { end: 'cancelled' } } as Event)
      return { ok: true, pos: 0 }
    },
    detach: async () => undefined,
  }
  const give = (event: Pick<Event, 'type' | 'payload'>) => {
    pos++
    const frame = { id: `e${pos}`, run_id: 'r1', seq: pos, ts: startedAt + pos * 100, pos }
    events.push({ ...event, ...frame } as SessionEvent)
    wake()
  }
  return { client, give }
}

const service: SessionService = {
  openSession: () => Promise.reject(new Error('a scene has one session')),
  listThreads: async () => [],
  readChoices: async () => ({ models: [], profiles: [], skills: [] }),
  close: async () => undefined,
}

/** Plays the file and returns its captures, one below the other. The clock advances only for keys. */
export async function playScene(path: string, look: SceneLook): Promise<string> {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  const { columns, rows, form, theme, env, isStyled = false } = look
  const terminal = emulateTerminal(columns, rows)
  const { client, give } = sceneClient()
  const stop = new AbortController()
  const home = scratch()
  const io: SessionIo = {
    ...{ input: terminal.input, output: terminal.output, signal: stop.signal, cwd: '/home/ann/shop' },
    env: { HOME: home, ANODE_DATA_DIR: home, TERM: 'xterm-256color', ...env },
  }
  vi.useFakeTimers({ toFake: ['Date'], now: startedAt + 10_000 })
  const captures: string[] = []
  try {
    const options = { form, notes: [], isTrustKnown: true, ...(theme && { theme }) }
    const screen = await openSessionScreen(client, service, io, options)
    const ended = screen.run()
    for (const line of lines) {
      const step = JSON.parse(line) as SceneStep
      if ('type' in step) give(step)
      else if ('keys' in step) {
        vi.setSystemTime(Date.now() + 1_000)
        terminal.type(step.keys)
      } else if ('seen' in step) await terminal.until(new RegExp(step.seen), 5_000)
      else captures.push(`== ${step.capture}`, ...(await captureStill(terminal, isStyled)))
    }
    stop.abort()
    await ended
  } finally {
    stop.abort()
    vi.useRealTimers()
  }
  expect(forbiddenBytes(terminal.bytes())).toEqual([])
  return `${captures.join('\n')}\n`
}

/** Returns the screen once nothing more is written to it. */
async function captureStill(
  terminal: ReturnType<typeof emulateTerminal>,
  isStyled: boolean,
): Promise<string[]> {
  for (let before = -1; before !== terminal.bytes().length; ) {
    before = terminal.bytes().length
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  const rows = (isStyled ? await terminal.styledLines() : await terminal.lines()).map((row) => row.trimEnd())
  return foldEqualRows(rows.slice(0, rows.findLastIndex((row) => row !== '') + 1))
}

/** Returns more than three equal rows as the first one and a count. */
function foldEqualRows(rows: readonly string[]): string[] {
  const folded: string[] = []
  for (let at = 0; at < rows.length; ) {
    const next = rows.findIndex((row, i) => i > at && row !== rows[at])
    const count = (next < 0 ? rows.length : next) - at
    if (count > 3) folded.push(rows[at] as string, `(${count - 1} more rows like this)`)
    else folded.push(...rows.slice(at, at + count))
    at += count
  }
  return folded
}
