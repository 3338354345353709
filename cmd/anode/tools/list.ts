// `anode tools list`: what a profile may call, after every filter.
import { openDirectCalls } from '../../../internal/host/direct-call.ts'
import type { ListedTool } from '../../../internal/tool/catalog.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'
import { directOptions, readDirectCall } from './direct-call.ts'

export const list: Verb = {
  name: 'tools list',
  summary: 'List the tools, or with --profile what that profile can actually call',
  usage: 'tools list [flags]',
  options: {
    profile: directOptions.profile as (typeof directOptions)[string],
    all: { type: 'boolean', describe: 'Also the hidden ones, with the reason' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [
    ['anode tools list --profile review', 'What a review may call'],
    ['anode tools list --all', 'Also what is hidden, and why'],
  ],
  run: listTools,
}

async function listTools(args: CommandArgs, io: CommandIo): Promise<number> {
  const session = await openDirectCalls(readDirectCall(args, io))
  try {
    for (const note of session.notes) io.stderr.write(`note: ${note}\n`)
    const rows = session.catalog.entries.filter((entry) => flagArg(args, 'all') || entry.hidden === undefined)
    io.stdout.write(
      flagArg(args, 'json') ? `${JSON.stringify(rows.map(row), null, 2)}\n` : await draw(rows, io),
    )
    return 0
  } finally {
    await session.close()
  }
}

function row({ name, level, origin, summary, hidden }: ListedTool) {
  return { name, level, origin, summary, ...(hidden !== undefined && { hidden }) }
}

function draw(rows: readonly ListedTool[], io: CommandIo): Promise<string> {
  const native = rows.every((entry) => entry.origin === 'native')
  return formatTable(
    ['tool', 'level', ...(native ? [] : ['from']), 'what it does'],
    rows.map((entry) => [
      entry.name,
      entry.level,
      ...(native ? [] : [entry.origin]),
      entry.hidden === undefined ? entry.summary : `hidden: ${entry.hidden}`,
    ]),
    io,
  )
}
