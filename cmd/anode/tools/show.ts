// `anode tools show`: one tool's level, parameters, defaults, caps and an example.
import { UserError } from '../../../internal/base/errors.ts'
import { openDirectCalls } from '../../../internal/host/direct-call.ts'
import { wrapText } from '../../../internal/render/text/line-wrap.ts'
import type { ListedTool } from '../../../internal/tool/catalog.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'
import { directOptions, readDirectCall } from './direct-call.ts'
import { listParameters } from './parameter-table.ts'

export const show: Verb = {
  name: 'tools show',
  summary: 'Show level, parameters, defaults, caps and an example of one tool',
  usage: 'tools show NAME [flags]',
  positionals: [{ name: 'NAME', describe: 'Tool to show', required: true }],
  options: {
    profile: directOptions.profile as (typeof directOptions)[string],
    json: { type: 'boolean', describe: 'Print JSON, with the JSON Schema as inputSchema' },
  },
  examples: [['anode tools show edit_file --json', 'The contract as a program wants it']],
  run: showTool,
}

async function showTool(args: CommandArgs, io: CommandIo): Promise<number> {
  const name = String(args.NAME)
  const session = await openDirectCalls({ ...readDirectCall(args, io), names: [name] })
  try {
    const entry = session.catalog.find(name)
    if (!entry) {
      const near = session.catalog.near(name)
      throw new UserError(`there is no tool named ${name}`, {
        hint: near.length > 0 ? `nearest: ${near.join(', ')}` : 'see `anode tools list`',
      })
    }
    io.stdout.write(
      flagArg(args, 'json') ? `${JSON.stringify(contract(entry), null, 2)}\n` : await draw(entry, io),
    )
    return 0
  } finally {
    await session.close()
  }
}

function contract(entry: ListedTool) {
  const { name, level, origin, summary, about, schema, example, hidden } = entry
  // what a model writes that has no calls of its own
  const call = `TOOL: ${JSON.stringify({ name, args: example })}`
  return {
    name,
    level,
    origin,
    summary,
    about,
    inputSchema: schema,
    example,
    call,
    ...(hidden !== undefined && { hidden }),
  }
}

async function draw(entry: ListedTool, io: CommandIo): Promise<string> {
  const rows = listParameters(entry.schema).map((p) => [
    p.name,
    p.type,
    p.required ? 'yes' : '',
    p.default,
    p.about,
  ])
  return [
    `${entry.name}  ${entry.level}${entry.origin === 'native' ? '' : `  from ${entry.origin}`}`,
    ...(entry.hidden === undefined ? [] : [`hidden: ${entry.hidden}`]),
    '',
    prose(entry.about, io),
    '',
    rows.length === 0
      ? 'No parameters.\n'
      : await formatTable(['parameter', 'type', 'required', 'default', 'meaning'], rows, io),
    'Example:',
    `  anode tools use ${entry.name} --json '${JSON.stringify(entry.example).replaceAll("'", `'\\''`)}'`,
    '',
  ].join('\n')
}

/** Folded on a terminal, at a width that reads well; a pipe gets the paragraphs as they are. */
function prose(text: string, { stdout }: Pick<CommandIo, 'stdout'>): string {
  return stdout.isTTY ? wrapText(text, Math.max(20, Math.min(stdout.columns || 80, 100))).join('\n') : text
}
