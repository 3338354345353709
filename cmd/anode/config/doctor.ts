// The command `anode config doctor`, which checks every file that may contain configuration and prints the
// problems. Its exit code is 1 if one of them is an error.
import { realpathSync } from 'node:fs'
import { UserError } from '../../../internal/base/errors.ts'
import { diagnoseSettings } from '../../../internal/service/doctor/config-doctor.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const doctor: Verb = {
  name: 'config doctor',
  summary: 'Check every configuration file; exit 1 when one is broken',
  usage: 'config doctor [flags]',
  options: { json: { type: 'boolean', describe: 'Print the findings as JSON' } },
  examples: [['anode config doctor', 'All problems of all files, with line and column']],
  run: checkConfig,
}

async function checkConfig(args: CommandArgs, io: CommandIo): Promise<number> {
  const findings = await diagnoseSettings({ env: io.env, cwd: realpathSync(io.cwd) })
  const isJson = flagArg(args, 'json')
  if (isJson) io.stdout.write(formatJson(findings, 2))
  else for (const { path, severity, text } of findings) io.stdout.write(`${severity} ${path}: ${text}\n`)
  if (findings.some((finding) => finding.severity === 'error')) {
    throw new UserError('the configuration has errors', {
      hint: 'fix the lines above',
      exit: exitCodes.failed,
    })
  }
  if (!isJson) io.stdout.write('Config doctor passed.\n')
  return exitCodes.done
}
