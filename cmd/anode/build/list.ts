// The command `anode build list`, which prints the latest builds of this workspace or of all workspaces.
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { listBuilds } from '../../../internal/service/build/known-builds.ts'
import { exitCodes } from '../exit-codes.ts'
import { readNumber } from '../flags.ts'
import { formatMinute } from '../io/date.ts'
import { formatJson } from '../io/json.ts'
import { explainNoRows } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const list: Verb = {
  name: 'build list',
  summary: 'List the builds of this workspace, latest first',
  usage: 'build list [flags]',
  options: {
    limit: { type: 'number', describe: 'At most this many', default: 20, value: 'N' },
    everywhere: { type: 'boolean', describe: 'Of all workspaces' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [['anode build list', 'Each build with its end and its branch']],
  run: runList,
}

async function runList(args: CommandArgs, io: CommandIo): Promise<number> {
  const limit = readNumber(args, 'limit', 1) ?? 20
  const builds = await listBuilds(io, { everywhere: flagArg(args, 'everywhere'), limit })
  if (flagArg(args, 'json')) await writeText(io.stdout, formatJson(builds, 2))
  else if (builds.length === 0) explainNoRows('No builds. Start one: anode build --plan plan.yaml', io)
  else {
    const rows = builds.map((build) => [
      build.id,
      formatMinute(build.created),
      build.end ?? build.status,
      `${build.tasks.filter(({ state }) => state === 'merged').length}/${build.tasks.length}`,
      sanitizeText(build.goal),
    ])
    await writeText(io.stdout, await formatTable(['build', 'started', 'state', 'merged', 'goal'], rows, io))
  }
  return exitCodes.done
}
