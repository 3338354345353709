// Arguments and output that several verbs of `anode build` share.
import { formatBuildStatus } from '../../../internal/build/report/build-lines.ts'
import type { BuildSummary } from '../../../internal/build/summary.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { formatJson } from '../io/json.ts'
import { fitLines } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import type { CommandArgs, CommandIo, CommandOption, CommandPositional } from '../verb.ts'

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

export async function printBuild(summary: BuildSummary, json: boolean, io: CommandIo): Promise<void> {
  if (json) return writeText(io.stdout, formatJson(summary))
  const lines = formatBuildStatus(summary).map((line) => sanitizeText(line, { keepLines: true }))
  await writeText(io.stdout, fitLines(`${lines.join('\n')}\n`, io))
}
