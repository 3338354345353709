// The command `anode research cpu`, which runs another command and prints the processor time of that command
// as a METRIC line.

import { constants } from 'node:os'
import { StringDecoder } from 'node:string_decoder'
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { measureCpuTime } from '../../../internal/service/research/cpu-time.ts'
import { exitCodes } from '../exit-codes.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, listArg, type Verb } from '../verb.ts'

export const cpu: Verb = {
  name: 'research cpu',
  summary: 'Run a command and print METRIC cpu_ms, the processor time of it and its children',
  usage: 'research cpu -- COMMAND...',
  positionals: [{ name: 'COMMAND', describe: 'Program and arguments', required: true, many: true }],
  options: {},
  examples: [['anode research cpu -- ./bench --size 100', 'In a measure.sh: steadier than wall-clock time']],
  run: measureCommand,
}

async function measureCommand(args: CommandArgs, io: CommandIo): Promise<number> {
  const { cwd, signal } = io
  const { ANODE_METRIC_NONCE: nonce, ...env } = io.env
  const timed = await measureCpuTime(listArg(args, 'COMMAND'), {
    cwd,
    env,
    signal,
    show: passOn(io),
  })
  if (signal.aborted) return Number(process.exitCode ?? 130)
  if (Number.isFinite(timed.cpuMs))
    await writeText(io.stdout, `METRIC${nonce ? `@${nonce}` : ''} cpu_ms=${timed.cpuMs}\n`)
  if (timed.leaked > 0)
    io.stderr.write(
      `leaked: ${countNoun(timed.leaked, 'process', 'processes')} outlived the command, ` +
        'had to be ended, and their time up to then counts\n',
    )
  if (timed.exit !== null) return timed.exit
  const number = constants.signals[timed.signal as NodeJS.Signals]
  return number === undefined ? exitCodes.failed : 128 + number
}

/**
 * Returns a function that passes the command's output on: its bytes, or on a terminal its text
 * without control sequences.
 */
function passOn(io: CommandIo): (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
  return (chunk, stream) => {
    const out = io[stream]
    if (out.isTTY) out.write(decoders[stream].write(Buffer.from(chunk)))
    else out.stream.write(chunk)
  }
}
