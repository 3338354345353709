// The command `anode tools use`, which runs one tool and prints the text that a model would get, or the
// result as JSON. A failed call may get a hint on how to write the command.
import { openDirectCalls } from '../../../internal/service/calls/direct-call.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, nameInSession, type Verb } from '../verb.ts'
import { gatherArguments, readArgumentFlags } from './arguments.ts'
import { withUsage } from './call-usage.ts'
import { acknowledgeResult, directOptions, exitOf, printResult, readDirectCall } from './direct-call.ts'

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

async function useTool(args: CommandArgs, io: CommandIo): Promise<number> {
  const requestedName = String(args.NAME)
  const name = nameInSession(requestedName)
  const session = await openDirectCalls({
    ...readDirectCall(args, io, requestedName),
    names: [name],
    single: true,
  })
  try {
    for (const note of session.notes) io.stderr.write(`note: ${note}\n`)
    const entry = session.catalog.find(name)
    const callArgs = await gatherArguments(readArgumentFlags(args, use), entry?.schema, io)
    const called = await session.call({ name, args: callArgs })
    const result = called.failed ? withUsage(called, entry) : called
    await printResult(result, args.output === 'json', io, writeText)
    await acknowledgeResult(result)
    return exitOf(result)
  } finally {
    await session.close()
  }
}
