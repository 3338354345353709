// `anode research status --watch`: the dashboard drawn anew whenever the ledger changes, or a line per run in a pipe.
import { setTimeout as sleep } from 'node:timers/promises'
import { clean } from '../../../internal/render/clean.ts'
import { overview } from '../../../internal/research/report/overview.ts'
import { pendingLine } from '../../../internal/research/report/status.ts'
import { runLine } from '../../../internal/research/report/words.ts'
import type { Research, State } from '../../../internal/research/session.ts'
import { write } from '../io.ts'
import { type Args, flag, type Io } from '../verb.ts'
import { draw, viewOf } from './status.ts'

/** Least time between two looks at the ledger, and how much longer than a look it is: a long ledger takes a while. */
const least = 500
const share = 20

/** Ends with 0 when the session stops by itself, with the signal's code when a person ends it. */
export async function watch(research: Research, args: Args, io: Io): Promise<number> {
  await viewOf(research)
  const screen = io.stdout.isTTY && !flag(args, 'json') ? board(args, io) : tail(args, io)
  try {
    for (;;) {
      const began = performance.now()
      const state = await research.state()
      await screen.show(state)
      if (state.active?.stopped && state.pending.length === 0) return 0
      const pause = Math.max(least, share * (performance.now() - began))
      await sleep(pause, undefined, { signal: io.signal }).catch(() => undefined)
      if (io.signal.aborted) return Number(process.exitCode ?? 130)
    }
  } finally {
    await screen.end()
  }
}

interface Screen {
  show(state: State): Promise<void>
  end(): Promise<void>
}

/** Draws over what it drew before; the terminal's own scroll-back stays. */
function board(args: Args, io: Io): Screen {
  let before = ''
  let height = 0
  return {
    async show(state) {
      const view = overview(state)
      if (!view) return
      const lines = draw(view, args, io, Math.max(8, (io.stdout.stream.rows ?? 24) - 1))
      const text = lines.join('\n')
      if (text === before) return
      const back = height > 0 ? `\u001b[${height}A\r\u001b[J` : ''
      await write(io.stdout, `${back}${text}\n`)
      before = text
      height = lines.length
    },
    async end() {
      // the last picture stays on the screen
    },
  }
}

/** Every line once. With --json each logged run as one JSON object. */
function tail(args: Args, io: Io): Screen {
  let segment = -1
  let told = 0
  let open = ''
  return {
    async show({ active, pending }) {
      if (!active) return
      if (active.config.segment !== segment) told = 0
      segment = active.config.segment
      for (const line of active.runs.slice(told)) {
        const text = flag(args, 'json')
          ? JSON.stringify(line)
          : clean(runLine(line, active.config.metricUnit))
        await write(io.stdout, `${text}\n`)
      }
      told = active.runs.length
      const now = pending.map(pendingLine).join('\n')
      if (now !== open && now !== '' && !flag(args, 'json'))
        await write(io.stdout, `${clean(now, { keepLines: true })}\n`)
      open = now
    },
    async end() {
      // nothing was drawn that would have to be taken away
    },
  }
}
