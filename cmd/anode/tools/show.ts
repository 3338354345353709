// The command `anode tools show`, which prints the level, parameters, defaults, limits and an example
// of one tool.
import { UserError } from '../../../internal/base/errors.ts'
import { wrapText } from '../../../internal/render/text/line-wrap.ts'
import { openDirectCalls } from '../../../internal/service/calls/direct-call.ts'
import { describeContract, qualifiedToolName } from '../../../internal/service/calls/tool-contract.ts'
import type { AdapterDescription, ListedTool } from '../../../internal/tool/catalog.ts'
import { formatTable } from '../io/table.ts'
import {
  type CommandArgs,
  type CommandIo,
  flagArg,
  nameInSession,
  toolsetOptions,
  type Verb,
} from '../verb.ts'
import { directOptions, readDirectCall } from './direct-call.ts'
import { listParameters } from './parameter-table.ts'

export const show: Verb = {
  name: 'tools show',
  summary: 'Show level, parameters, defaults, caps and an example of one tool',
  usage: 'tools show NAME [flags]',
  positionals: [{ name: 'NAME', describe: 'Tool to show', required: true }],
  options: {
    profile: directOptions.profile as (typeof directOptions)[string],
    ...toolsetOptions,
    json: { type: 'boolean', describe: 'Print JSON, with the JSON Schema as inputSchema' },
  },
  examples: [['anode tools show edit_file --json', 'The contract as a program wants it']],
  run: showTool,
}

async function showTool(args: CommandArgs, io: CommandIo): Promise<number> {
  const requestedName = String(args.NAME)
  const name = nameInSession(requestedName)
  const session = await openDirectCalls({ ...readDirectCall(args, io, requestedName), names: [name] })
  try {
    const entry = session.catalog.find(name)
    if (!entry) {
      const near = session.catalog.near(name)
      throw new UserError(`unknown tool "${name}"`, {
        hint: near.length > 0 ? `nearest: ${near.join(', ')}` : `see \`${session.catalog.listCommand}\``,
      })
    }
    io.stdout.write(
      flagArg(args, 'json')
        ? `${JSON.stringify(describeContract(entry), null, 2)}\n`
        : await drawTool(entry, io),
    )
    return 0
  } finally {
    await session.close()
  }
}

async function drawTool(entry: ListedTool, io: CommandIo): Promise<string> {
  const rows = listParameters(entry.schema).map((p) => [
    p.name,
    p.type,
    p.required ? 'yes' : '',
    p.default,
    p.about,
  ])
  const name = qualifiedToolName(entry)
  const call = JSON.stringify(entry.example).replaceAll("'", `'\\''`)
  return [
    [`${name}  ${entry.level}`, ...originOf(entry), ...(entry.optional ? ['optional'] : [])].join('  '),
    ...(entry.hidden === undefined ? [] : [`hidden: ${entry.hidden}`]),
    '',
    wrapProse(entry.about, io),
    '',
    rows.length === 0
      ? 'No parameters.\n'
      : await formatTable(['parameter', 'type', 'required', 'default', 'meaning'], rows, io),
    ...(entry.face ? await drawAdapter(entry.face, io) : []),
    'Example:',
    ...(entry.face ? [`  TOOL: ${JSON.stringify({ name: entry.name, args: entry.example })}`] : []),
    `  anode tools use ${name} --json '${call}'`,
    '',
  ].join('\n')
}

function originOf({ origin, face: adapter }: ListedTool): string[] {
  if (adapter) return [`adapter of ${[...new Set(adapter.targets.map(({ tool }) => tool))].join(', ')}`]
  return origin === 'native' ? [] : [`from ${origin}`]
}

/**
 * Returns lines about an adapter, which converts a call of a tool named after another program to calls of
 * Anode's native tools. The lines describe the arguments for each native tool, the form of the results, and
 * the adapter's failures.
 */
async function drawAdapter({ targets }: AdapterDescription, io: CommandIo): Promise<string[]> {
  const parts = targets.map(async ({ tool, when, args, result, answers, faults }) => {
    const where = Object.entries(when ?? {}).map(([parameter, value]) => `${parameter} ${value}`)
    const rows = Object.entries(args)
    return [
      `${tool} receives${where.length > 0 ? `, with ${where.join(' and ')}` : ''}:`,
      rows.length === 0 ? 'nothing\n' : await formatTable(['parameter', 'from'], rows, io),
      `Result: ${result ? JSON.stringify(result) : `as ${tool} writes it`}`,
      ...(answers ? [`Results too: ${Object.keys(answers).join(', ')}`] : []),
      ...(faults ? [`Failures in its own words: ${Object.keys(faults).join(', ')}`] : []),
      '',
    ]
  })
  return (await Promise.all(parts)).flat()
}

/**
 * Returns the text wrapped to the width of the terminal, but to at most 100 cells. In a pipe the
 * paragraphs are unchanged.
 */
function wrapProse(text: string, { stdout }: Pick<CommandIo, 'stdout'>): string {
  return stdout.isTTY ? wrapText(text, Math.max(20, Math.min(stdout.columns || 80, 100))).join('\n') : text
}
