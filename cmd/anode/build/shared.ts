// Arguments and output that several verbs of `anode build` share.
import { formatBuildEntry, formatBuildStatus } from '../../../internal/build/report/build-lines.ts'
import type { BuildSummary } from '../../../internal/build/summary.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type { BuildRun } from '../../../internal/service/build/build-leader.ts'
import { readBuild } from '../../../internal/service/build/known-builds.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { fitLines } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import {
  type CommandArgs,
  type CommandIo,
  type CommandOption,
  type CommandPositional,
  flagArg,
} from '../verb.ts'

export const buildPositional: CommandPositional = {
  name: 'ID',
  describe: 'ID of the build, a unique prefix, or last (the default): the latest of this workspace',
}

export const taskPositional: CommandPositional = {
  name: 'TASK',
  describe: 'Task of the plan',
  required: true,
}

export const jsonOption: CommandOption = { type: 'boolean', describe: 'Print one JSON object' }

export const readBuildName = (args: CommandArgs): string => String(args.ID ?? 'last')

/** Leads a build, shows its progress, and prints its end. Returns the exit code. */
export async function showBuild(
  args: CommandArgs,
  io: CommandIo,
  lead: (run: BuildRun) => Promise<{ head: { id: string }; isDropped: boolean }>,
): Promise<number> {
  const json = flagArg(args, 'json')
  const { head, isDropped } = await lead({
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    onPlan: async (plan) => (await import('./plan-approval.ts')).decidePlan(plan, args, io),
    note: (text) => io.stderr.write(`${text}\n`),
    show: ({ seq, kind, data }) => {
      const { task } = data
      const line = json ? JSON.stringify({ seq, kind, task }) : formatBuildEntry({ kind, data })
      if (line !== undefined) io.stderr.write(`${sanitizeText(line, { keepLines: true })}\n`)
    },
  })
  if (isDropped) return flagArg(args, 'plan-only') ? exitCodes.done : exitCodes.denied
  const summary = await readBuild(head.id, io)
  await printBuild(summary, json, io)
  return exitOf(summary)
}

export async function printBuild(summary: BuildSummary, json: boolean, io: CommandIo): Promise<void> {
  if (json) return writeText(io.stdout, formatJson(summary))
  const lines = formatBuildStatus(summary).map((line) => sanitizeText(line, { keepLines: true }))
  await writeText(io.stdout, fitLines(`${lines.join('\n')}\n`, io))
}

const exits: Readonly<Record<string, number>> = {
  done: exitCodes.done,
  failed: exitCodes.failed,
  partial: exitCodes.limit,
  denied: exitCodes.denied,
  unverified: exitCodes.unverified,
  cancelled: exitCodes.limit,
}

/** Returns the exit code of a build. One without an end was interrupted. */
const exitOf = ({ end }: BuildSummary): number => (end === null ? exitCodes.interrupted : (exits[end] ?? 1))
