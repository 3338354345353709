// The command `anode harness step`, which shows a recorded command event by event.

import { createInterface } from 'node:readline'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import {
  listRecordedSteps,
  type RecordedStep,
  stepKinds,
} from '../../../internal/service/harness/recorded-steps.ts'
import { findRecording } from '../../../internal/service/harness/recording.ts'
import { exitCodes } from '../exit-codes.ts'
import { readNumber } from '../flags.ts'
import { formatJson } from '../io/json.ts'
import { fitLines } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg, listArg, type Verb } from '../verb.ts'
import { recordingPositional } from './recording-name.ts'

export const step: Verb = {
  name: 'harness step',
  summary: 'Step through a recorded command: requests, replies, calls, decisions and results',
  usage: 'harness step [RECORDING] [flags]',
  positionals: [recordingPositional],
  options: {
    from: { type: 'number', describe: 'Begin with this step', value: 'N' },
    kind: {
      type: 'array',
      describe: `Only these: ${stepKinds.join(', ')}`,
      choices: stepKinds,
      value: 'KIND',
    },
    full: { type: 'boolean', describe: 'Print what is stored of each step' },
    json: { type: 'boolean', describe: 'Print all steps, one JSON object a line' },
  },
  examples: [
    ['anode harness step last', 'On a terminal: Enter shows the next step, a number jumps, q ends'],
    ['anode harness step last --kind call --json', 'Every call, for a program'],
  ],
  run: printSteps,
}

async function printSteps(args: CommandArgs, io: CommandIo): Promise<number> {
  const recording = findRecording(io.env, String(args.RECORDING ?? 'last'))
  const kinds = listArg(args, 'kind')
  const all = await listRecordedSteps(io.env, recording)
  const from = readNumber(args, 'from', 1, Math.max(1, all.length)) ?? 1
  const steps = all.filter(({ n, kind }) => n >= from && (kinds.length === 0 || kinds.includes(kind)))
  const isFull = flagArg(args, 'full')
  if (flagArg(args, 'json')) {
    for (const one of steps) await writeText(io.stdout, formatJson(one))
    return exitCodes.done
  }
  if (io.stdin.isTTY === true && io.stdout.isTTY) return stepThrough(steps, isFull, io)
  for (const one of steps) await writeText(io.stdout, drawStep(one, isFull, io))
  return exitCodes.done
}

function drawStep({ n, at, kind, where, about, data }: RecordedStep, isFull: boolean, io: CommandIo): string {
  const head = `${String(n).padStart(4)} +${(at / 1000).toFixed(3)} ${kind.padEnd(8)} ${where}: ${about}`
  const whole = isFull ? `\n${JSON.stringify(data, null, 2)}` : ''
  return sanitizeText(`${fitLines(head, io)}${whole}\n`, { keepLines: true })
}

/**
 * Shows the first of `steps`, then one step for each typed line: for a number, the first step with at least
 * this number, otherwise the next one. `f` shows the current step completely. Any other number than those of
 * the steps shows nothing and prints which ones there are. `q`, the last step and the end of the input end
 * the command. Returns the exit code.
 */
async function stepThrough(steps: readonly RecordedStep[], isFull: boolean, io: CommandIo): Promise<number> {
  const lines = createInterface({ input: io.stdin, signal: io.signal })
  const show = (at: number) => {
    const one = steps[at]
    if (one) io.stdout.write(drawStep(one, isFull, io))
    return one !== undefined
  }
  let at = 0
  if (!show(at)) io.stdout.write('no steps\n')
  else io.stderr.write('Enter: next step, number: that step, f: the whole step, q: end\n')
  if (steps.length > 1)
    for await (const line of lines) {
      const word = line.trim()
      if (word === 'q') break
      if (word === 'f') {
        io.stdout.write(drawStep(steps[at] as RecordedStep, true, io))
        continue
      }
      if (/^[-+.]?\d/.test(word) && !isStepNumber(word, steps)) {
        io.stderr.write(`no step ${word}; type a whole number from 1 to ${steps.at(-1)?.n}\n`)
        continue
      }
      at = /^\d+$/.test(word) ? steps.findIndex(({ n }) => n >= Number(word)) : at + 1
      if (!show(at) || at === steps.length - 1) break
    }
  lines.close()
  if (io.signal.aborted) return Number(process.exitCode ?? exitCodes.interrupted)
  return exitCodes.done
}

function isStepNumber(word: string, steps: readonly RecordedStep[]): boolean {
  return /^\d+$/.test(word) && Number(word) >= 1 && Number(word) <= (steps.at(-1)?.n ?? 0)
}
