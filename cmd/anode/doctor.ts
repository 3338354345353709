// The command `anode doctor`, which checks programs, storage, configuration and extensions, and prints the
// state of each. With `--terminal`, it resets the terminal instead.
import { runDoctorChecks } from '../../internal/service/doctor/doctor.ts'
import { resetTerminalLine } from '../../internal/service/doctor/terminal-line.ts'
import { describeTerminal } from '../../internal/tui/terminal/terminal-facts.ts'
import { resetModes } from '../../internal/tui/terminal/terminal-modes.ts'
import { exitCodes } from './exit-codes.ts'
import { formatTable } from './io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from './verb.ts'

export const doctor: Verb = {
  name: 'doctor',
  summary: 'Check programs, storage, configuration and extensions; exit 1 when something is broken',
  usage: 'doctor [flags]',
  options: {
    json: { type: 'boolean', describe: 'Print JSON' },
    terminal: {
      type: 'boolean',
      describe: 'Give this terminal back after a screen was killed, and say what is known of it',
    },
  },
  examples: [
    ['anode doctor', 'What works here, what does not, and why'],
    ['anode doctor --terminal', 'After kill -9 of a session: keys are shown again, the mouse is free'],
  ],
  run: (args, io) => (flagArg(args, 'terminal') ? resetTerminal(args, io) : runDoctor(args, io)),
}

/**
 * Resets the terminal, prints its properties and the result, and resolves to the exit code: 0, or 1 if the
 * reset failed. If standard input or output is not a terminal, nothing is reset and the code is 1.
 */
async function resetTerminal(args: CommandArgs, io: CommandIo): Promise<number> {
  const isTerminal = io.stdin.isTTY === true && io.stdout.isTTY === true
  if (isTerminal) io.stdout.draw(resetModes)
  const problem = isTerminal ? await resetTerminalLine(io.env) : 'no terminal is at both ends'
  const reset = { what: 'given back', value: problem ?? 'modes off, keys shown, the main screen' }
  const facts = [...describeTerminal({ env: io.env, output: io.stdout.stream }), reset]
  const table = flagArg(args, 'json')
    ? `${JSON.stringify(facts, null, 2)}\n`
    : await formatTable(
        ['what', 'value'],
        facts.map(({ what, value }) => [what, value]),
        io,
      )
  io.stdout.write(table)
  return problem === undefined ? exitCodes.done : exitCodes.failed
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
