// `anode doctor`: looks at everything Anode leans on and says what is missing and what to do about it.
import { runDoctorChecks } from '../../internal/host/doctor.ts'
import { exitCodes } from './exit-codes.ts'
import { formatTable } from './io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from './verb.ts'

export const doctor: Verb = {
  name: 'doctor',
  summary: 'Check programs, storage, configuration and extensions; exit 1 when something is broken',
  usage: 'doctor [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode doctor', 'What works here, what does not, and why']],
  run: runDoctor,
}

async function runDoctor(args: CommandArgs, io: CommandIo): Promise<number> {
  const checks = await runDoctorChecks(io)
  if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(checks, null, 2)}\n`)
  else
    io.stdout.write(
      await formatTable(
        ['what', 'state', 'detail'],
        checks.map((c) => [c.what, c.state, c.detail]),
        io,
      ),
    )
  return checks.some((check) => check.state === 'broken') ? exitCodes.failed : exitCodes.done
}
