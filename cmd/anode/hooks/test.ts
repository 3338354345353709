// The command `anode hooks test`, which runs the hooks of an event with sample input. The call in that input
// does not run.
import { UserError } from '../../../internal/base/errors.ts'
import { isObject } from '../../../internal/base/untrusted-json.ts'
import { tryHooks } from '../../../internal/service/doctor/hook-check.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from '../verb.ts'

export const test: Verb = {
  name: 'hooks test',
  summary: 'Run the hooks of an event as a session would; exit 0 when they let it pass, 4 when one refuses',
  usage: 'hooks test EVENT [flags]',
  positionals: [{ name: 'EVENT', describe: 'Event, such as PreToolUse', required: true }],
  options: {
    tool: { type: 'string', describe: 'Tool of the call', value: 'NAME' },
    json: { type: 'string', describe: 'Its arguments, or the fields of another event', value: 'OBJECT' },
    output: { type: 'string', describe: 'Print text or JSON', choices: ['text', 'json'], default: 'text' },
  },
  examples: [
    [`anode hooks test PreToolUse --tool bash --json '{"command":"git push"}'`, 'Would this call be refused'],
  ],
  run: testHooks,
}

async function testHooks(args: CommandArgs, io: CommandIo): Promise<number> {
  const fields = readFields(stringArg(args, 'json') ?? '{}')
  const request = { event: String(args.EVENT), tool: stringArg(args, 'tool'), fields }
  const trials = await tryHooks(io, request)
  const isDenied = trials.some(({ denied }) => denied !== undefined)
  if (args.output === 'json') {
    const rows = trials.map(({ hook: { command, path }, denied, warnings, ms }) => {
      return {
        command,
        path,
        verdict: denied === undefined ? 'pass' : 'refuse',
        reason: denied,
        warnings,
        ms,
      }
    })
    io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  } else if (trials.length === 0) io.stdout.write('No hook runs at this event.\n')
  else
    io.stdout.write(
      await formatTable(
        ['hook', 'verdict', 'reason', 'ms'],
        trials.map(({ hook, denied, warnings, ms }) => [
          ...[hook.command, denied === undefined ? 'passes' : 'refuses'],
          ...[denied ?? warnings.join('; '), String(ms)],
        ]),
        io,
      ),
    )
  return isDenied ? 4 : 0
}

function readFields(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new UserError('--json is not valid JSON', { hint: `for example --json '{"command":"ls"}'`, cause })
  }
  if (isObject(value)) return value
  throw new UserError('--json must be an object', { hint: `for example --json '{"command":"ls"}'` })
}
