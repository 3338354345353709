// `anode tools use`: run one tool and print what a model would read.
import { openSession } from '../../../internal/host/session.ts'
import { invoke } from '../../../internal/tool/invoke.ts'
import { write } from '../io.ts'
import { type Args, type Io, list, str, type Verb } from '../verb.ts'
import { gather } from './arguments.ts'
import { direct, directOptions } from './direct.ts'
import { exitOf, present, settle } from './outcome.ts'

export const use: Verb = {
  name: 'tools use',
  summary: 'Run one tool; what it prints is exactly the text a model would get',
  usage: 'tools use NAME [ARGUMENT] [flags]',
  positionals: [
    { name: 'NAME', describe: 'Tool to run', required: true },
    { name: 'ARGUMENT', describe: 'KEY=VALUE, or the value of the one that is required', many: true },
  ],
  takesExtra: true,
  options: {
    arg: { type: 'array', describe: 'One argument, read by the type the tool declares', value: 'KEY=VALUE' },
    'arg-json': { type: 'array', describe: 'One argument as JSON', value: 'KEY=JSON' },
    json: {
      type: 'string',
      describe: 'All arguments as a JSON object, @FILE or - for standard input',
      value: 'OBJECT',
    },
    output: {
      type: 'string',
      describe: 'Print the text or one JSON object',
      choices: ['text', 'json'],
      default: 'text',
    },
    ...directOptions,
  },
  examples: [
    ['anode tools use read --arg path=README.md', 'Print a file with line numbers'],
    ['anode tools use read README.md --start-line 10', 'The same, from line 10'],
    ['anode tools use grep --arg pattern=retry --arg glob="*.ts" --output json', 'Search, as JSON'],
  ],
  run: useTool,
}

async function useTool(args: Args, io: Io): Promise<number> {
  const name = String(args.NAME)
  const session = await openSession({ ...direct(args, io), names: [name], single: true })
  try {
    for (const note of session.notes) io.stderr.write(`note: ${note}\n`)
    const entry = session.catalog.find(name)
    const given = await gather(
      {
        arg: list(args, 'arg'),
        argJson: list(args, 'arg-json'),
        json: str(args, 'json'),
        words: list(args, 'ARGUMENT'),
        extra: list(args, 'extra'),
        flags: Object.keys(use.options),
      },
      entry?.schema,
      io,
    )
    const result = await invoke(session.catalog, session.ctx, { name, args: given })
    await present(result, args.output === 'json', io, write)
    await settle(result)
    return exitOf(result)
  } finally {
    await session.close()
  }
}
