// The command `anode study "question"`, which checks the question, starts a study, shows its progress and
// prints its result.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { UserError } from '../../../internal/base/errors.ts'
import { hasUnspacedScript } from '../../../internal/base/text/scripts/unspaced-script.ts'
import {
  parseSourceNames,
  type StudyRequest,
  type StudyRun,
} from '../../../internal/service/study/request.ts'
import { startStudy } from '../../../internal/service/study/run-study.ts'
import { parseDuration } from '../../../internal/tui/duration.ts'
import { exitCodes } from '../exit-codes.ts'
import { allowModelSwitch, readNumber } from '../flags.ts'
import { confirmAtTerminal } from '../io/confirm.ts'
import { refuseMistypedVerb } from '../mistyped-verb.ts'
import { announcePage, pageOption } from '../serve/announced-page.ts'
import { type CommandArgs, type CommandIo, flagArg, listArg, stringArg, type Verb } from '../verb.ts'
import {
  budgetOptions,
  costConsent,
  maxSlots,
  outputOptions,
  placementOptions,
  readBudget,
  readPlacement,
} from './flags.ts'
import { studyPresenter } from './output/study-presenter.ts'
import { studyVerbNames } from './verb-names.ts'

export const start: Verb = {
  name: 'study',
  summary: 'Split a question over several workers and compose one cited report',
  usage: 'study QUESTION [flags]',
  positionals: [{ name: 'QUESTION', describe: 'What to find out', many: true }],
  options: {
    workers: {
      type: 'number',
      describe: 'Tasks at once, and tasks that a model may plan: 1 to 256 (default 3)',
      value: 'N',
    },
    sources: {
      type: 'string',
      describe: 'Where to look: repo, web, mcp, or several with commas (default repo)',
      value: 'LIST',
    },
    root: { type: 'string', describe: 'Folder to study instead of the workspace', value: 'DIR' },
    model: {
      type: 'string',
      describe: 'provider/model, builtin/extract, script:FILE, replay:FILE, record:FILE,MODEL',
      value: 'MODEL',
    },
    'allow-model-switch': allowModelSwitch,
    ...budgetOptions,
    'per-worker-tokens': {
      type: 'number',
      describe: 'Stop a task when it has used this many tokens',
      value: 'N',
    },
    'max-steps': {
      type: 'number',
      describe: 'Replies of the model for each task, 1 to 40 (default 20)',
      value: 'N',
    },
    each: {
      type: 'string',
      describe: "Fill a table, one row per document: 'GLOB', a folder, or @LIST.txt (at most 1000)",
      value: 'FILES',
    },
    columns: {
      type: 'string',
      describe: 'Columns of --each: "patients: number; design: rct|cohort; funder"',
      value: 'LIST',
    },
    sample: { type: 'number', describe: 'Only N documents of --each, evenly spread', value: 'N' },
    'plan-only': { type: 'boolean', describe: 'Print the plan as JSON and store nothing' },
    plan: { type: 'string', describe: 'Use the plan in this file', value: 'FILE' },
    baseline: { type: 'string', describe: 'One worker with the same total budget', choices: ['single'] },
    'min-citation': {
      type: 'number',
      describe: 'Share of claims whose quotes must be found (default 0.95)',
      value: 'X',
    },
    'min-support': {
      type: 'number',
      describe: 'Share of claims that must verify (default 0.80)',
      value: 'X',
    },
    seed: { type: 'number', describe: 'Number that decides ties (default 1)', value: 'N' },
    serve: pageOption,
    yes: { type: 'boolean', describe: 'Start at any estimated cost and number of documents', alias: 'y' },
    ...placementOptions,
    ...outputOptions,
  },
  examples: [
    [
      'anode study "How does the store lock files, and what happens on a crash?"',
      'Prints the answer with its sources; the whole report: anode study report',
    ],
    ['anode study "What do these papers measure?" --root papers -o report.html', 'The report as a page, too'],
    [
      'anode study "How many were enrolled?" --each "papers/*" --columns "patients: number" -o t.csv',
      'A table with one row per document',
    ],
    ['anode study "What ends a retry?" --serve', 'Prints the address of a page on which it can be watched'],
    ['anode study "Which errors are retried?" --workers 5 --budget-tokens 200000 --json', 'For a program'],
  ],
  run: runStart,
}

async function runStart(args: CommandArgs, io: CommandIo): Promise<number> {
  const question = await readQuestion(args, io)
  const request = readRequest(args, question)
  if (stringArg(args, 'each') !== undefined) return startTable(args, io, request)
  for (const name of ['columns', 'sample'])
    if (args[name] !== undefined)
      throw new UserError(`--${name} needs --each`, {
        hint: 'anode study "QUESTION" --each "papers/*.pdf" --columns "patients: number"',
      })
  if (flagArg(args, 'plan-only')) return studyPresenter.plan(request, io)
  const withPage = await servePage(args, io)
  const approveCost = costConsent(args, io)
  return studyPresenter.study(args, io, (run) => startStudy({ ...request, approveCost }, withPage(run)))
}

/**
 * Returns a function that changes a run so that it prints the URL of its page once the study exists. Without
 * the flag `--serve`, the run prints no URL.
 */
async function servePage(args: CommandArgs, io: CommandIo): Promise<(run: StudyRun) => StudyRun> {
  const announce = flagArg(args, 'serve') ? await announcePage(io) : undefined
  return (run) => ({
    ...run,
    show(line) {
      run.show(line)
      if (line.kind === 'study') announce?.(`/studies/${line.data['id']}`)
    },
  })
}

/** Starts a study with one row per document and returns the exit code. */
async function startTable(args: CommandArgs, io: CommandIo, request: StudyRequest): Promise<number> {
  const { createTableForm, startTableStudy, readTableRequest } = await studyPresenter.tables()
  const table = readTableRequest(args, { ...request, approveCost: costConsent(args, io) })
  const form = createTableForm(args, io)
  const withPage = await servePage(args, io)
  return studyPresenter.study(args, io, (run) => startTableStudy(table, withPage(run)), form)
}

function readRequest(args: CommandArgs, question: string): StudyRequest {
  const deadline = stringArg(args, 'deadline')
  return {
    question,
    workers: readNumber(args, 'workers', 1, maxSlots) ?? 3,
    sources: parseSourceNames(stringArg(args, 'sources') ?? 'repo'),
    ...readPlacement(args),
    engine: stringArg(args, 'engine') ?? 'embedded',
    budget: readBudget(args),
    deadlineMs: deadline === undefined ? 20 * 60_000 : parseDuration(deadline),
    maxSteps: readNumber(args, 'max-steps', 1, 40) ?? 20,
    minCitation: readNumber(args, 'min-citation', 0, 1, false) ?? 0.95,
    minSupport: readNumber(args, 'min-support', 0, 1, false) ?? 0.8,
    seed: readNumber(args, 'seed', 0) ?? 1,
    baseline: stringArg(args, 'baseline') !== undefined,
    allowModelSwitch: flagArg(args, 'allow-model-switch'),
    root: stringArg(args, 'root'),
    model: stringArg(args, 'model'),
    plan: stringArg(args, 'plan'),
  }
}

/**
 * Returns the question, before any file is read. Words after two dashes are accepted unchanged. Throws
 * UserError for an empty question, for a mistyped command, and for a single word that the user does not
 * confirm and that names no file.
 */
async function readQuestion(args: CommandArgs, io: CommandIo): Promise<string> {
  const words = listArg(args, 'QUESTION')
  const question = words.join(' ').trim()
  if (question === '')
    throw new UserError('the question is empty', { hint: 'anode study "what to find out"' })
  if (args['--'] !== undefined) return question
  refuseMistypedVerb(question, { group: 'anode study', verbs: studyVerbNames, kind: 'question' })
  if (isOneWord(question) && !isFile(question, args, io)) await insistOnWord(question, io)
  return question
}

/**
 * Returns true if the question is one word. In writing without spaces, such as Chinese, the number of words
 * is unknown, so the result is false.
 */
const isOneWord = (question: string) => !/\s/.test(question) && !hasUnspacedScript(question)

/**
 * Returns true if a file or directory with the name `word` exists below `--root`, by default the working
 * directory. Such a name is a valid question, because it states the subject.
 */
function isFile(word: string, args: CommandArgs, io: CommandIo): boolean {
  return existsSync(resolve(io.cwd, stringArg(args, 'root') ?? '.', word))
}

/**
 * Asks the user on a terminal to confirm a question of a single word. Throws UserError if the user does not
 * confirm it, and without a terminal; a script must write the word after `--`.
 */
async function insistOnWord(word: string, io: CommandIo): Promise<void> {
  const shows = word.toLowerCase() === 'show' ? 'anode study report last shows the latest study; ' : ''
  const hint = `${shows}ask in a few words more, or insist: anode study -- ${word}`
  if (!io.stdin.isTTY || !io.stderr.isTTY)
    throw new UserError(`one word is not a question: ${word}`, { hint })
  if (!(await confirmAtTerminal(`Study the one word ${JSON.stringify(word)}?`, io)))
    throw new UserError('nothing was started', { hint, exit: exitCodes.denied })
}
