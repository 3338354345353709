// The arguments and output that several commands of `anode build` share.
import { formatBuildStatus } from '../../../internal/build/report/build-lines.ts'
import type { BuildSummary } from '../../../internal/build/summary.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { parseDuration } from '../../../internal/tui/duration.ts'
import { readNumber } from '../flags.ts'
import { formatJson } from '../io/json.ts'
import { fitLines } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import {
  type CommandArgs,
  type CommandIo,
  type CommandOption,
  type CommandPositional,
  stringArg,
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

/**
 * Flags for the limits of a build. For `anode build resume`, each given flag replaces that limit
 * of the build.
 */
export const limitOptions = {
  attempts: { type: 'number', describe: 'Attempts of each task: 1 to 10', value: 'N' },
  'budget-usd': { type: 'number', describe: 'Stop agents at this cost in US dollars', value: 'X' },
  'budget-tokens': { type: 'number', describe: 'Stop agents after this many tokens', value: 'N' },
  deadline: { type: 'string', describe: 'Stop after this time, such as 20m or 1h', value: 'D' },
} as const satisfies Readonly<Record<string, CommandOption>>

/**
 * Returns the limits that flags have set; a missing flag leaves its limit undefined. `deadlineMs` is a
 * duration in milliseconds. Throws UserError for a value that is not allowed.
 */
export function readLimits(args: CommandArgs) {
  const deadline = stringArg(args, 'deadline')
  return {
    attempts: readNumber(args, 'attempts', 1, 10),
    budget: {
      tokens: readNumber(args, 'budget-tokens', 0),
      usd: readNumber(args, 'budget-usd', 0, Number.MAX_SAFE_INTEGER, false),
    },
    deadlineMs: deadline === undefined ? undefined : parseDuration(deadline),
  }
}

export const readBuildName = (args: CommandArgs): string => String(args.ID ?? 'last')

export async function printBuild(summary: BuildSummary, json: boolean, io: CommandIo): Promise<void> {
  if (json) return writeText(io.stdout, formatJson(summary))
  const lines = formatBuildStatus(summary).map((line) => sanitizeText(line, { keepLines: true }))
  await writeText(io.stdout, fitLines(`${lines.join('\n')}\n`, io))
}
