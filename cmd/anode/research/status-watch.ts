// The command `anode research status --watch`, which updates the dashboard on every change. In a pipe, it
// prints a line per run.
import { setTimeout as sleep } from 'node:timers/promises'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { formatRunLine } from '../../../internal/research/report/format.ts'
import { buildOverview } from '../../../internal/research/report/overview.ts'
import { pendingLine } from '../../../internal/research/report/status-lines.ts'
import type { ResearchSession, ResearchState } from '../../../internal/research/session.ts'
import { eraseBelow } from '../../../internal/tui/terminal/screen-writer.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg } from '../verb.ts'
import { drawStatus, readOverview } from './status-view.ts'

/**
 * Smallest pause in milliseconds between two reads of the session's ledger. `share` is the smallest ratio of
 * the pause to the duration of a read, because a long ledger takes long to read.
 */
const least = 500
const share = 20

/**
 * Shows the session as it changes. Resolves to 0 when the session has stopped and no run is pending, or to
 * the signal's code when the user interrupts. Throws FailureError `no_session` without a session.
 */
export async function watchResearch(
  research: ResearchSession,
  args: CommandArgs,
  io: CommandIo,
): Promise<number> {
  await readOverview(research)
  const screen = io.stdout.isTTY && !flagArg(args, 'json') ? openBoard(args, io) : openRunLog(args, io)
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

interface StatusScreen {
  show(state: ResearchState): Promise<void>
  end(): Promise<void>
}

/** Creates a screen that overwrites its previous output. The terminal's scrollback does not change. */
function openBoard(args: CommandArgs, io: CommandIo): StatusScreen {
  let before = ''
  let height = 0
  return {
    async show(state) {
      const view = buildOverview(state)
      if (!view) return
      const lines = drawStatus(view, args, io, Math.max(8, (io.stdout.stream.rows ?? 24) - 1))
      const text = lines.join('\n')
      if (text === before) return
      const back = height > 0 ? `\u001b[${height}A${eraseBelow}` : ''
      if (back !== '') io.stdout.draw(back)
      await writeText(io.stdout, `${text}\n`)
      before = text
      height = lines.length
    },
    async end() {
      // the last dashboard remains on the screen
    },
  }
}

/**
 * Creates a screen that prints a line for each logged run of the current segment, at first for all runs so
 * far, and the runs that are not logged yet when they change. With --json, it prints only the logged runs,
 * each as a JSON object.
 */
function openRunLog(args: CommandArgs, io: CommandIo): StatusScreen {
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
      // there is nothing on the screen to remove
    },
  }
}
