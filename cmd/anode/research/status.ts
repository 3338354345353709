// `anode research status`: where a session stands, once or as it changes.
import { FailureError } from '../../../internal/base/errors.ts'
import { render } from '../../../internal/render/render.ts'
import { terminalOptions } from '../../../internal/render/terminal.ts'
import { buildDashboard } from '../../../internal/research/report/dashboard.ts'
import { buildOverview, type SessionOverview } from '../../../internal/research/report/overview.ts'
import { statusLines } from '../../../internal/research/report/status-lines.ts'
import type { ResearchSession } from '../../../internal/research/session.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'
import { sessionOptions, withResearch } from './session-access.ts'

export const status: Verb = {
  name: 'research status',
  summary: 'Show goal, baseline, best and runs of a session; --watch follows it',
  usage: 'research status [flags]',
  options: {
    watch: { type: 'boolean', describe: 'Follow the session until it stops or Ctrl-C' },
    all: { type: 'boolean', describe: 'Every run instead of the last 20' },
    ...sessionOptions,
  },
  examples: [
    ['anode research status', 'A drawing on a terminal, plain lines in a pipe'],
    ['anode research status --watch', 'In a second terminal, while auto works in the first'],
  ],
  run: show,
}

/** Throws FailureError `no_session`. */
export async function readOverview(research: ResearchSession): Promise<SessionOverview> {
  const view = buildOverview(await research.state())
  if (view) return view
  throw new FailureError({
    code: 'no_session',
    message: 'there is no experiment session here',
    hint: 'Start one with `anode research init`.',
  })
}

function show(args: CommandArgs, io: CommandIo): Promise<number> {
  return withResearch(args, io, async ({ research }) => {
    if (flagArg(args, 'watch')) {
      const { watchResearch } = await import('./status-watch.ts')
      return watchResearch(research, args, io)
    }
    const view = await readOverview(research)
    if (flagArg(args, 'json')) await writeText(io.stdout, `${JSON.stringify(view)}\n`)
    else await writeText(io.stdout, `${drawStatus(view, args, io, Number.POSITIVE_INFINITY).join('\n')}\n`)
    return 0
  })
}

/** Components on a terminal, at most `height` lines of them; plain lines elsewhere. */
export function drawStatus(
  view: SessionOverview,
  args: CommandArgs,
  io: CommandIo,
  height: number,
): string[] {
  const all = flagArg(args, 'all')
  if (!io.stdout.isTTY) return statusLines(view, all)
  const color = stringArg(args, 'color') as 'auto' | 'always' | 'never' | undefined
  const look = terminalOptions({ env: io.env, stream: io.stdout, flags: { color } })
  const options = { ...look, plain: false, all: true }
  const { width = 80 } = look
  const rows = all ? view.rows.length : 20
  const lines = render(buildDashboard(view, { rows, width }), options).lines
  const over = lines.length - height
  // a table of fewer runs rather than a picture without its head
  return over > 0
    ? render(buildDashboard(view, { rows: Math.max(1, rows - over), width }), options).lines.slice(0, height)
    : lines
}
