// The command `anode study eval`, which measures answers to questions with known answers, for several
// workers, one worker and plain search.

import { UserError } from '../../../../internal/base/errors.ts'
import { groupDigits } from '../../../../internal/base/text/count-noun.ts'
import { sanitizeText } from '../../../../internal/render/text/terminal-filter.ts'
import {
  type EvaluationOptions,
  evaluateStudies,
} from '../../../../internal/service/study-eval/evaluation.ts'
import { parseDuration } from '../../../../internal/tui/duration.ts'
import { exitCodes } from '../../exit-codes.ts'
import { readNumber } from '../../flags.ts'
import { confirmAtTerminal } from '../../io/confirm.ts'
import { formatJson } from '../../io/json.ts'
import { writeText } from '../../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg, numberArg, stringArg, type Verb } from '../../verb.ts'
import { findShortfalls, formatEvaluation } from './eval-report.ts'

export const evaluate: Verb = {
  name: 'study eval',
  summary: 'Ask questions whose answers are known, with several workers and with one, and compare',
  usage: 'study eval [SUITE] [flags]',
  positionals: [
    { name: 'SUITE', describe: 'first or second (suites of the manual), or a file of questions (JSONL)' },
  ],
  options: {
    suite: { type: 'string', describe: 'The same as SUITE', value: 'SUITE' },
    checkout: {
      type: 'string',
      describe: 'Directory with clones of the repositories of the suite, if they are not to be fetched',
      value: 'DIR',
    },
    repeat: { type: 'number', describe: 'Run everything N times', default: 1, value: 'N' },
    workers: { type: 'number', describe: 'Workers of a study at once', default: 3, value: 'N' },
    model: { type: 'string', describe: 'Model of both sides', value: 'MODEL' },
    'budget-tokens': {
      type: 'number',
      describe: 'Tokens after which a study, or the single worker, stops',
      value: 'N',
    },
    deadline: { type: 'string', describe: 'Stop a question after this time', default: '20m', value: 'D' },
    record: {
      type: 'string',
      describe: 'Write the replies of the model into files of this folder',
      value: 'DIR',
    },
    replay: {
      type: 'string',
      describe: 'Use responses from such a directory or a file instead of a model',
      value: 'PATH',
    },
    'min-recall': { type: 'number', describe: 'Exit with 5 below this share (0.8; second: 0.6)', value: 'X' },
    'min-precision': {
      type: 'number',
      describe: 'Exit with 5 below this share (0.8; second: none)',
      value: 'X',
    },
    sealed: { type: 'boolean', describe: 'Show single questions of the sealed half, which unseals it' },
    'in-process': { type: 'boolean', describe: 'Workers within this process' },
    yes: { type: 'boolean', describe: 'Do not ask before a model that costs is used', alias: 'y' },
    json: { type: 'boolean', describe: 'Print one JSON object' },
    quiet: { type: 'boolean', describe: 'No progress' },
  },
  examples: [
    ['anode study eval --model builtin/extract', 'The corpus with planted facts that comes with the manual'],
    ['anode study eval --suite second', 'Sixty questions over real texts'],
    ['anode study eval mine.jsonl --repeat 3 --json', 'Your own questions, three times'],
    ['anode study eval tuned.jsonl --checkout ~/clones', 'Questions over repositories that you have cloned'],
  ],
  run: runEval,
}

async function runEval(args: CommandArgs, io: CommandIo): Promise<number> {
  const options = readOptions(args, io)
  const evaluation = await evaluateStudies(options)
  const usual =
    evaluation.suite === 'second' ? { recall: 0.6, precision: 0 } : { recall: 0.8, precision: 0.8 }
  const short = findShortfalls(evaluation.study, {
    recall: numberArg(args, 'min-recall') ?? usual.recall,
    precision: numberArg(args, 'min-precision') ?? usual.precision,
  })
  if (flagArg(args, 'json')) await writeText(io.stdout, formatJson({ ...evaluation, shortfalls: short }))
  else await writeText(io.stdout, await formatEvaluation(evaluation, io))
  for (const text of short) io.stderr.write(`anode: ${text}\n`)
  if (evaluation.skipped.length > 0) return exitCodes.limit
  return short.length > 0 ? exitCodes.unverified : exitCodes.done
}

function readOptions(args: CommandArgs, io: CommandIo): EvaluationOptions {
  const suite = stringArg(args, 'SUITE')
  const flag = stringArg(args, 'suite')
  if (suite !== undefined && flag !== undefined && suite !== flag)
    throw new UserError(`two suites are named, ${suite} and ${flag}`, { hint: 'run one after the other' })
  const tokens = numberArg(args, 'budget-tokens')
  const named = {
    suite: suite ?? flag,
    checkout: stringArg(args, 'checkout'),
    model: stringArg(args, 'model'),
    record: stringArg(args, 'record'),
    replay: stringArg(args, 'replay'),
  }
  const texts = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
  return {
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    program: process.argv[1] ?? '',
    workers: readNumber(args, 'workers', 1, 32) ?? 1,
    repeat: readNumber(args, 'repeat', 1, 100) ?? 1,
    budget: tokens === undefined ? {} : { tokens },
    deadlineMs: parseDuration(stringArg(args, 'deadline') ?? '20m'),
    inProcess: flagArg(args, 'in-process'),
    sealed: flagArg(args, 'sealed'),
    confirm: (estimate) => confirmCost(estimate, flagArg(args, 'yes'), io),
    note: (text) => {
      if (!flagArg(args, 'quiet')) io.stderr.write(`${sanitizeText(text)}\n`)
    },
    ...texts,
  }
}

/**
 * Prints the estimated cost and asks whether to start, because an evaluation runs many studies. Resolves to
 * the answer: true if `isAgreed`, and otherwise false without a terminal.
 */
async function confirmCost(
  { tokens, usd, minutes }: Parameters<EvaluationOptions['confirm']>[0],
  isAgreed: boolean,
  io: CommandIo,
): Promise<boolean> {
  const cost = usd === null ? 'at an unknown price' : `$${usd.toFixed(2)}`
  const thousands = groupDigits(Math.ceil(tokens / 1000))
  io.stderr.write(`estimate: about ${thousands}k tokens, ${cost}, ${minutes} minutes at most\n`)
  if (isAgreed) return true
  if (!io.stdin.isTTY || !io.stderr.isTTY) return false
  return confirmAtTerminal('Ask the model?', io)
}
