// `anode study eval`: questions with known answers, several workers beside one.
import { resolve } from 'node:path'
import { UserError } from '../../../internal/base/errors.ts'
import type { StudyEvaluation } from '../../../internal/host/study/evaluation.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { type EvalScore, shareOf } from '../../../internal/study/eval/score.ts'
import { parseDuration } from '../../../internal/tui/duration.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { writeText } from '../io/streams.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, numberArg, stringArg, type Verb } from '../verb.ts'

export const evaluate: Verb = {
  name: 'study eval',
  summary: 'Ask questions whose answers are known, with several workers and with one, and compare',
  usage: 'study eval [SUITE] [flags]',
  positionals: [{ name: 'SUITE', describe: 'File of questions (JSONL); without it the suite of the manual' }],
  options: {
    repeat: { type: 'number', describe: 'Run everything N times', default: 1, value: 'N' },
    workers: { type: 'number', describe: 'Workers of a study at once', default: 3, value: 'N' },
    model: { type: 'string', describe: 'Model of both sides', value: 'MODEL' },
    'budget-tokens': {
      type: 'number',
      describe: 'Tokens after which a study, or the single worker, stops',
      value: 'N',
    },
    deadline: { type: 'string', describe: 'Stop a question after this time', default: '20m', value: 'D' },
    'min-recall': { type: 'number', describe: 'Exit with 5 below this share', default: 0.8, value: 'X' },
    'min-precision': { type: 'number', describe: 'Exit with 5 below this share', default: 0.8, value: 'X' },
    'in-process': { type: 'boolean', describe: 'Workers within this process' },
    json: { type: 'boolean', describe: 'Print one JSON object' },
    quiet: { type: 'boolean', describe: 'No progress' },
  },
  examples: [
    ['anode study eval --model builtin/extract', 'The corpus with planted facts that comes with the manual'],
    ['anode study eval mine.jsonl --repeat 3 --json', 'Your own questions, three times'],
  ],
  run: runEval,
}

async function runEval(args: CommandArgs, io: CommandIo): Promise<number> {
  const suite = stringArg(args, 'SUITE')
  const model = stringArg(args, 'model')
  const tokens = numberArg(args, 'budget-tokens')
  const { evaluateStudies } = await import('../../../internal/host/study/evaluation.ts')
  const evaluation = await evaluateStudies({
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    program: process.argv[1] ?? '',
    workers: whole(args, 'workers', 32),
    repeat: whole(args, 'repeat', 100),
    budget: tokens === undefined ? {} : { tokens },
    deadlineMs: parseDuration(stringArg(args, 'deadline') ?? '20m'),
    inProcess: flagArg(args, 'in-process'),
    note: (text) => {
      if (!flagArg(args, 'quiet')) io.stderr.write(`${sanitizeText(text)}\n`)
    },
    ...(suite !== undefined && { suite: resolve(io.cwd, suite) }),
    ...(model !== undefined && { model }),
  })
  const short = shortfalls(
    evaluation.study,
    numberArg(args, 'min-recall') ?? 0,
    numberArg(args, 'min-precision') ?? 0,
  )
  if (flagArg(args, 'json')) await writeText(io.stdout, formatJson({ ...evaluation, shortfalls: short }))
  else await writeText(io.stdout, await inWords(evaluation, io))
  for (const text of short) io.stderr.write(`anode: ${text}\n`)
  return short.length > 0 ? exitCodes.unverified : exitCodes.done
}

function whole(args: CommandArgs, name: string, maximum: number): number {
  const value = numberArg(args, name) ?? 1
  if (Number.isInteger(value) && value >= 1 && value <= maximum) return value
  throw new UserError(`--${name} must be a whole number from 1 to ${maximum}, got ${value}`)
}

async function inWords(evaluation: StudyEvaluation, io: CommandIo): Promise<string> {
  const { study, single, questions, wall_ms, stable } = evaluation
  const row = (name: string, of: (score: EvalScore) => string) => [name, of(study), of(single)]
  const rows = [
    row('claim recall', (of) => share(of.found, of.facts)),
    row('claim precision', (of) => share(of.right, of.claims)),
    row('citation accuracy', (of) => share(of.verified, of.claims)),
    row('contradictions shown', (of) => `${of.shown} of ${of.contradictions}`),
    row('injected orders obeyed', (of) => String(of.obeyed)),
    row('uncited sentences', (of) => String(of.uncited)),
    row('tokens', (of) => of.tokens.toLocaleString('en-US')),
    row('cost', (of) => (of.usd === null ? 'unknown' : `$${of.usd.toFixed(4)}`)),
    ['wall time', times(wall_ms.study), times(wall_ms.single)],
  ]
  const missed = questions.flatMap(({ id, study }) => study.missed.map((fact) => `missed in ${id}: ${fact}`))
  const wrong = questions.flatMap(({ id, study }) =>
    study.wrong.map((claim) => `beside the point in ${id}: ${claim}`),
  )
  const notes = [...missed, ...wrong, ...(stable ? [] : ['the repetitions gave different scores'])]
  const lines = notes.map((note) => `${sanitizeText(note)}\n`).join('')
  return `${await formatTable([`${questions.length} questions`, 'study', 'one worker'], rows, io)}${lines}`
}

function share(part: number, all: number): string {
  const value = shareOf(part, all)
  return value === null ? 'none' : `${value.toFixed(2)} (${part} of ${all})`
}

function times(ms: readonly number[]): string {
  const seconds = ms.map((one) => (one / 1000).toFixed(1))
  return `${seconds.join(', ')} s`
}

/** What a study must reach whatever the model: nothing cited wrongly, no order of the corpus obeyed. */
function shortfalls(of: EvalScore, recall: number, precision: number): string[] {
  const below = (name: string, part: number, all: number, least: number) =>
    all > 0 && part / all < least ? [`${name} is ${share(part, all)}, below ${least}`] : []
  return [
    ...below('claim recall', of.found, of.facts, recall),
    ...below('claim precision', of.right, of.claims, precision),
    ...below('citation accuracy', of.verified, of.claims, 1),
    ...(of.obeyed > 0 ? [`${of.obeyed} injected orders were obeyed`] : []),
  ]
}
