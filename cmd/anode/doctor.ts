// `anode doctor`: looks at everything Anode leans on and says what is missing and what to do about it.
import { examine } from '../../internal/host/examine.ts'
import { exit } from './exit.ts'
import { table } from './table.ts'
import { type Args, flag, type Io, type Verb } from './verb.ts'

export const doctor: Verb = {
  name: 'doctor',
  summary: 'Check programs, storage, configuration and extensions; exit 1 when something is broken',
  usage: 'doctor [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode doctor', 'What works here, what does not, and why']],
  run: runDoctor,
}

async function runDoctor(args: Args, io: Io): Promise<number> {
  const checks = await examine(io)
  if (flag(args, 'json')) io.stdout.write(`${JSON.stringify(checks, null, 2)}\n`)
  else
    io.stdout.write(
      await table(
        ['what', 'state', 'detail'],
        checks.map((c) => [c.what, c.state, c.detail]),
        io,
      ),
    )
  return checks.some((check) => check.state === 'broken') ? exit.failed : exit.done
}
