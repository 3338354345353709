// `anode config doctor`: reads every candidate and names all that is wrong with each.
import { realpathSync } from 'node:fs'
import { UserError } from '../../../internal/base/errors.ts'
import { diagnoseSettings } from '../../../internal/service/doctor/config-doctor.ts'
import { exitCodes } from '../exit-codes.ts'
import type { CommandArgs, CommandIo, Verb } from '../verb.ts'

export const doctor: Verb = {
  name: 'config doctor',
  summary: 'Check every configuration file; exit 1 when one is broken',
  usage: 'config doctor',
  options: {},
  examples: [['anode config doctor', 'All problems of all files, with line and column']],
  run: checkConfig,
}

async function checkConfig(_: CommandArgs, io: CommandIo): Promise<number> {
  const findings = await diagnoseSettings({ env: io.env, cwd: realpathSync(io.cwd) })
  for (const { path, severity, text } of findings) io.stdout.write(`${severity} ${path}: ${text}\n`)
  if (findings.some((finding) => finding.severity === 'error')) {
    throw new UserError('the configuration has errors', {
      hint: 'mend the lines above',
      exit: exitCodes.failed,
    })
  }
  io.stdout.write('Config doctor passed.\n')
  return exitCodes.done
}
