// `anode research status --watch`: redraws the dashboard on every change, or prints a line per run in a pipe.
import { setTimeout as sleep } from 'node:timers/promises'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { formatRunLine } from '../../../internal/research/report/format.ts'
import { buildOverview } from '../../../internal/research/report/overview.ts'
import { pendingLine } from '../../../internal/research/report/status-lines.ts'
import type { ResearchSession, ResearchState } from '../../../internal/research/session.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg } from '../verb.ts'
import { drawStatus, readOverview } from './status-view.ts'

/**
 * Least time between two looks at the ledger, and how much longer than a look it is: a long ledger takes a
 * while.
 */
const least = 500
const share = 20

/** Ends with 0 when the session stops by itself, with the signal's code when a person ends it. */
export async function watchResearch(
  research: ResearchSession,
  args: CommandArgs,
  io: CommandIo,
): Promise<number> {
  await readOverview(research)
  const screen = io.stdout.isTTY && !flagArg(args, 'json') ? board(args, io) : tail(args, io)
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
  show(state: ResearchState): Promise<void>
  end(): Promise<void>
}

/** Draws over what it drew before; the terminal's own scroll-back stays. */
function board(args: CommandArgs, io: CommandIo): Screen {
  let before = ''
  let height = 0
  return {
    async show(state) {
      const view = buildOverview(state)
      if (!view) return
      const lines = drawStatus(view, args, io, Math.max(8, (io.stdout.stream.rows ?? 24) - 1))
      const text = lines.join('\n')
      if (text === before) return
      const back = height > 0 ? `\u001b[${height}A\r\u001b[J` : ''
      if (back !== '') io.stdout.draw(back)
      await writeText(io.stdout, `${text}\n`)
      before = text
      height = lines.length
    },
    async end() {
      // the last picture stays on the screen
    },
  }
}

/** Every line once. With --json each logged run as one JSON object. */
function tail(args: CommandArgs, io: CommandIo): Screen {
  let segment = -1
  let printed = 0
  let open = ''
  return {
    async show({ active, pending }) {
      if (!active) return
      if (active.config.segment !== segment) printed = 0
      segment = active.config.segment
      for (const line of active.runs.slice(printed)) {
        const text = flagArg(args, 'json')
          ? JSON.stringify(line)
          : sanitizeText(formatRunLine(line, active.config.metricUnit))
        await writeText(io.stdout, `${text}\n`)
      }
      printed = active.runs.length
      const now = pending.map(pendingLine).join('\n')
      if (now !== open && now !== '' && !flagArg(args, 'json'))
        await writeText(io.stdout, `${sanitizeText(now, { keepLines: true })}\n`)
      open = now
    },
    async end() {
      // nothing was drawn that would have to be taken away
    },
  }
}
