// The leading of a build for a command, with its progress, its end and its exit code.
import type { BuildSummary } from '../../../internal/build/summary.ts'
import type { BuildRun } from '../../../internal/service/build/build-leader.ts'
import { readBuild } from '../../../internal/service/build/known-builds.ts'
import { exitCodes } from '../exit-codes.ts'
import { announcePage } from '../serve/announced-page.ts'
import { type CommandArgs, type CommandIo, flagArg } from '../verb.ts'
import { openBuildView } from './build-view.ts'
import { askAboutCalls } from './call-approval.ts'
import { decidePlan } from './plan-approval.ts'
import { printBuild } from './shared.ts'

/**
 * Leads a build (starts its workers), shows its progress, and prints its end. Returns the exit code. For a
 * plan that was not started, the code is 0 with --plan-only, and otherwise the code for a missing approval.
 */
export async function showBuild(
  args: CommandArgs,
  io: CommandIo,
  lead: (run: BuildRun) => Promise<{ head: { id: string }; isDropped: boolean }>,
): Promise<number> {
  const json = flagArg(args, 'json')
  const announce = flagArg(args, 'serve') ? await announcePage(io) : undefined
  const view = openBuildView(io, {
    out: io.stderr,
    json: json ? ({ seq, kind, data }) => ({ seq, kind, task: data['task'] }) : undefined,
  })
  const run: BuildRun = {
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    onPlan: (plan, tools) => view.lend(() => decidePlan(plan, tools, args, io)),
    onCall: askAboutCalls(args, io, view.lend),
    note: (text) => io.stderr.write(`${text}\n`),
    show(line) {
      view.line(line)
      if (line.kind === 'build') announce?.(`/builds/${line.data['id']}`)
    },
  }
  const { head, isDropped } = await lead(run).finally(view.end)
  if (isDropped) return flagArg(args, 'plan-only') ? exitCodes.done : exitCodes.denied
  const summary = await readBuild(head.id, io)
  await printBuild(summary, json, io)
  return exitOf(summary)
}

const exits: Readonly<Record<string, number>> = {
  done: exitCodes.done,
  failed: exitCodes.failed,
  partial: exitCodes.limit,
  denied: exitCodes.denied,
  unverified: exitCodes.unverified,
  cancelled: exitCodes.limit,
}

/**
 * Returns the exit code of a build, by the state in which it ended. A build without an end was interrupted.
 */
const exitOf = ({ end }: BuildSummary): number => (end === null ? exitCodes.interrupted : (exits[end] ?? 1))
