// The hosts that show runs, each on streams that keep what was printed.
import { openRunScreen } from '../../cmd/anode/execute/run-screen.ts'
import { emptyView } from '../../internal/session/view/session-view.ts'
import { followEvents } from '../../internal/tui/plain/plain-events.ts'
import type { PlainState } from '../../internal/tui/plain/plain-state.ts'
import { logLook } from '../../internal/tui/run-view/plain-look.ts'
import { openRunView, progressLook } from '../../internal/tui/run-view/run-view.ts'
import { randomRun, randomSession } from './random-run.ts'
import { sink } from './tui.ts'

const spent = {
  ...{ input: 10, output: 5, cached: 0, cacheWrite: 0 },
  ...{ usd: null, estimated: false, requests: 2, calls: 1 },
}

function playPipe(seed: number): string {
  const run = openRunView(progressLook)
  const lines = randomRun(seed).flatMap((event) => run.take(event).lines)
  return lines.map((line) => `${line}\n`).join('')
}

/** `[out]` and `[err]` before what goes to each. */
function playTerminal(seed: number, isOut: boolean, isErr: boolean): string {
  let text = ''
  const streamOf = (name: string, isTTY: boolean) => ({
    ...sink(isTTY, 40),
    write(more: string) {
      text += `[${name}]${more}`
    },
  })
  const [out, err] = [streamOf('out', isOut), streamOf('err', isErr)]
  const screen = openRunScreen({ out, err, env: { TERM: 'dumb' } })
  for (const [i, event] of randomRun(seed).entries()) {
    const go = i % 7 === 3 ? screen.pause() : () => undefined
    screen.event(event)
    go()
  }
  screen.note('take \u001b[31mcare')
  screen.done()
  const isDrawn = screen.answer('# End')
  screen.summary({ spent, ms: 10 })
  return `${text}${isDrawn}\n`
}

function playLog(seed: number): string {
  const run = openRunView(logLook(100), '01JD3K8QAA')
  return `${randomSession(seed)
    .flatMap((event) => run.take(event).lines)
    .join('\n')}\n`
}

async function playPlain(seed: number): Promise<string> {
  const lines: string[] = []
  const events = randomSession(seed)
  const client = {
    openedAt: 0,
    thread: '01JD3K8QAA',
    async *readEvents() {
      yield* events
    },
  }
  const parts = {
    conversation: {
      client,
      view: emptyView('01JD3K8QAA'),
      children: new Map(),
      sending: 0,
      shown: ['Do *it*'],
    },
    prompt: { question: undefined, choice: undefined, announced: undefined },
    printer: {
      print: (more: readonly string[]) => lines.push(...more),
      width: () => 60,
      settings: '',
    },
    screen: { leaving: undefined, io: {} },
  }
  await followEvents(parts as unknown as PlainState, new AbortController().signal)
  return `${lines.join('\n')}\n`
}

export const hosts: Readonly<Record<string, (seed: number) => string | Promise<string>>> = {
  pipe: playPipe,
  terminal: (seed) => playTerminal(seed, true, true),
  'terminal-words': (seed) => playTerminal(seed, true, false),
  'terminal-calls': (seed) => playTerminal(seed, false, true),
  log: playLog,
  plain: playPlain,
}

export const playRun = (host: string, seed: number) => (hosts[host] as (typeof hosts)[string])(seed)
