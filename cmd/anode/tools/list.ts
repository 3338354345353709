// The command `anode tools list`, which prints the available tools, or with --profile those that this
// profile may call.

import { declareTools } from '../../../internal/runtime/toolset/tool-declarations.ts'
import { openDirectCalls } from '../../../internal/service/calls/direct-call.ts'
import { describeRow } from '../../../internal/service/calls/tool-contract.ts'
import type { ListedTool } from '../../../internal/tool/catalog.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, toolsetOptions, type Verb } from '../verb.ts'
import { directOptions, readDirectCall } from './direct-call.ts'

export const list: Verb = {
  name: 'tools list',
  summary: 'List the tools, or with --profile what that profile can actually call',
  usage: 'tools list [flags]',
  options: {
    profile: directOptions.profile as (typeof directOptions)[string],
    ...toolsetOptions,
    all: { type: 'boolean', describe: 'Also the hidden ones, with the reason, and the optional ones' },
    json: { type: 'boolean', describe: 'Print JSON' },
    schemas: { type: 'boolean', describe: 'Print function declarations as models get them, as JSON' },
  },
  examples: [
    ['anode tools list --profile review', 'What a review may call'],
    ['anode tools list --toolset ah', 'The tools under the names of another program'],
    ['anode tools list --all', 'Also what is hidden, and why'],
  ],
  run: listTools,
}

async function listTools(args: CommandArgs, io: CommandIo): Promise<number> {
  const session = await openDirectCalls(readDirectCall(args, io))
  try {
    for (const note of session.notes) io.stderr.write(`note: ${note}\n`)
    const isListed = ({ hidden, optional }: ListedTool) =>
      hidden === undefined && !(optional && session.profile === undefined)
    const rows = session.catalog.entries.filter((entry) => flagArg(args, 'all') || isListed(entry))
    if (flagArg(args, 'schemas')) io.stdout.write(`${JSON.stringify(declareTools(rows), null, 2)}\n`)
    else if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(rows.map(describeRow), null, 2)}\n`)
    else io.stdout.write(await drawTools(rows, io))
    return 0
  } finally {
    await session.close()
  }
}

function drawTools(rows: readonly ListedTool[], io: CommandIo): Promise<string> {
  const native = rows.every((entry) => entry.origin === 'native')
  return formatTable(
    ['tool', 'level', ...(native ? [] : ['from']), 'what it does'],
    rows.map((entry) => [entry.name, entry.level, ...(native ? [] : [entry.origin]), describeEntry(entry)]),
    io,
  )
}

function describeEntry({ summary, optional, hidden }: ListedTool): string {
  if (hidden !== undefined) return `hidden: ${hidden}`
  return optional ? `optional: ${summary}` : summary
}
