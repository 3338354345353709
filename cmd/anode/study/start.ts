// `anode study "question"`: starts a study and shows it until its report is there.
import { UserError } from '../../../internal/base/errors.ts'
import { nearest } from '../../../internal/base/nearest.ts'
import type { Crewing, StudyRequest } from '../../../internal/host/study/request.ts'
import { sources } from '../../../internal/study/study.ts'
import { duration } from '../execute.ts'
import { type Args, flag, type Io, list, num, type Option, str, type Verb } from '../verb.ts'

/** Flags for totals, which `resume` takes as well. */
export const totals: Readonly<Record<string, Option>> = {
  'budget-tokens': { type: 'number', describe: 'Stop when the study has used this many tokens', value: 'N' },
  'budget-usd': {
    type: 'number',
    describe: 'Stop when the estimated cost reaches this many US dollars',
    value: 'USD',
  },
  deadline: {
    type: 'string',
    describe: 'Stop after this time, such as 90s, 20m or 1h (default 20m)',
    value: 'D',
  },
}

/** Where and how workers run, which `resume` takes as well. */
export const crewing: Readonly<Record<string, Option>> = {
  engine: {
    type: 'string',
    describe: 'embedded: workers on this machine; redis://…: workers on many (default embedded)',
    value: 'URL',
  },
  'engine-unsafe': { type: 'boolean', describe: 'Use a Redis server that does not keep every write' },
  'in-process': { type: 'boolean', describe: 'Embedded only: workers within this process' },
  local: {
    type: 'number',
    describe: 'Redis: workers started on this machine; 0 for remote ones alone',
    value: 'N',
  },
  'worker-wait': {
    type: 'string',
    describe: 'Redis: how long to wait for the first worker (default 30s)',
    value: 'D',
  },
}

export const output: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', describe: 'Print the report as one JSON object; progress goes to standard error' },
  quiet: { type: 'boolean', describe: 'No progress' },
}

export const start: Verb = {
  name: 'study',
  summary: 'Split a question over several workers and compose one cited report',
  usage: 'study QUESTION [flags]',
  positionals: [{ name: 'QUESTION', describe: 'What to find out', many: true }],
  options: {
    workers: {
      type: 'number',
      describe: 'Workers at once, and tasks of the plan, at most: 1 to 32 (default 3)',
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
    ...totals,
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
    'plan-only': { type: 'boolean', describe: 'Print the plan as JSON and store nothing' },
    plan: { type: 'string', describe: 'Use the plan in this file', value: 'FILE' },
    baseline: { type: 'string', describe: 'One worker with the same total budget', choices: ['single'] },
    'min-citation': {
      type: 'number',
      describe: 'Share of claims that must verify (default 0.95)',
      value: 'X',
    },
    seed: { type: 'number', describe: 'Number that decides ties (default 1)', value: 'N' },
    ...crewing,
    ...output,
  },
  examples: [
    [
      'anode study "How does the store lock files, and what happens on a crash?"',
      'Three workers, one report',
    ],
    ['anode study "Which errors are retried?" --workers 5 --budget-tokens 200000 --json', 'For a program'],
  ],
  run: runStart,
}

async function runStart(args: Args, io: Io): Promise<number> {
  const words = list(args, 'QUESTION')
  const request = await readRequest(args, words)
  const { present } = await import('./present.ts')
  if (flag(args, 'plan-only')) return present.plan(request, io)
  const { startStudy } = await import('../../../internal/host/study/study.ts')
  return present.study(args, io, (run) => startStudy(request, run))
}

const between = (
  args: Args,
  name: string,
  low: number,
  high: number,
  usual: number,
  whole = true,
): number => {
  const value = num(args, name) ?? usual
  if (value >= low && value <= high && (!whole || Number.isInteger(value))) return value
  const near = Math.min(high, Math.max(low, Math.round(value)))
  const range = high === Number.MAX_SAFE_INTEGER ? `${low} or more` : `${low} to ${high}`
  throw new UserError(`--${name} must be ${whole ? 'a whole number ' : ''}from ${range}, got ${value}`, {
    hint: `nearest: --${name} ${near}`,
  })
}

async function readRequest(args: Args, words: readonly string[]): Promise<StudyRequest> {
  const question = words.join(' ').trim()
  if (question === '')
    throw new UserError('the question is empty', { hint: 'anode study "what to find out"' })
  await refuseMistypedVerb(words)
  const most = Number.MAX_SAFE_INTEGER
  const deadline = str(args, 'deadline')
  return {
    question,
    workers: between(args, 'workers', 1, 32, 3),
    sources: readSources(str(args, 'sources') ?? 'repo'),
    ...readCrewing(args),
    engine: str(args, 'engine') ?? 'embedded',
    budget: readBudget(args),
    deadlineMs: deadline === undefined ? 20 * 60_000 : duration(deadline),
    maxSteps: between(args, 'max-steps', 1, 40, 20),
    minCitation: between(args, 'min-citation', 0, 1, 0.95, false),
    seed: between(args, 'seed', 0, most, 1),
    baseline: str(args, 'baseline') !== undefined,
    ...given('root', str(args, 'root')),
    ...given('model', str(args, 'model')),
    ...given('plan', str(args, 'plan')),
  }
}

export function readCrewing(args: Args): Omit<Crewing, 'engine'> {
  const local = num(args, 'local')
  return {
    inProcess: flag(args, 'in-process'),
    unsafe: flag(args, 'engine-unsafe'),
    workerWaitMs: duration(str(args, 'worker-wait') ?? '30s'),
    ...given('local', local === undefined ? undefined : between(args, 'local', 0, 32, 0)),
  }
}

export function readBudget(args: Args): StudyRequest['budget'] {
  const most = Number.MAX_SAFE_INTEGER
  const limit = (name: string, whole: boolean) =>
    num(args, name) === undefined ? undefined : between(args, name, 0, most, 0, whole)
  return {
    ...given('tokens', limit('budget-tokens', true)),
    ...given('usd', limit('budget-usd', false)),
    ...given('perWorkerTokens', limit('per-worker-tokens', true)),
  }
}

function readSources(text: string): StudyRequest['sources'] {
  const names = text.split(',').map((name) => name.trim())
  for (const name of names) {
    if (!(sources as readonly string[]).includes(name)) {
      throw new UserError(`--sources: there is no source ${name || '(empty)'}`, {
        hint: 'any of repo,web,mcp',
      })
    }
  }
  return sources.filter((source) => names.includes(source))
}

/** `statsu 01JD3K8Q` is no question. */
async function refuseMistypedVerb([first = '', second, ...more]: readonly string[]): Promise<void> {
  if (
    second === undefined ||
    more.length > 0 ||
    /\s/.test(first) ||
    !/^(?:last|[0-9A-HJKMNP-TV-Z]{6,26})$/i.test(second)
  )
    return
  const { study } = await import('../study.ts')
  const near = nearest(first, Object.keys(study.verbs), 1)[0]
  if (near === undefined) return
  throw new UserError(`study has no command ${first}`, {
    hint: `did you mean anode study ${near} ${second}?`,
  })
}

export function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V }
}
