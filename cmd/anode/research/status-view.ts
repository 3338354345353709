// The view of a session that `anode research status` prints, once or after every change.
import { FailureError } from '../../../internal/base/errors.ts'
import { render } from '../../../internal/render/render.ts'
import { terminalOptions } from '../../../internal/render/terminal.ts'
import { buildDashboard } from '../../../internal/research/report/dashboard.ts'
import { buildOverview, type SessionOverview } from '../../../internal/research/report/overview.ts'
import { statusLines } from '../../../internal/research/report/status-lines.ts'
import type { ResearchSession } from '../../../internal/research/session.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg } from '../verb.ts'

/** Returns the overview of the session. Throws FailureError `no_session` without one. */
export async function readOverview(research: ResearchSession): Promise<SessionOverview> {
  const view = buildOverview(await research.state())
  if (view) return view
  throw new FailureError({
    code: 'no_session',
    message: 'no experiment session found in this workspace',
    hint: 'Start one with `anode research init`.',
  })
}

/**
 * Returns the lines of the status with at most 20 runs, or with --all every run: in a pipe plain
 * lines, on a terminal the dashboard. A dashboard of more than `height` lines shows fewer runs and is
 * cut to `height` lines.
 */
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
  // If the lines need too many rows, fewer runs are shown, so that the head of the dashboard stays visible.
  return over > 0
    ? render(buildDashboard(view, { rows: Math.max(1, rows - over), width }), options).lines.slice(0, height)
    : lines
}
