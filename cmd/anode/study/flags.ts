// The flags that several commands of `anode study` share, and the functions that read their values.
import type { StudyRequest, WorkerPlacement } from '../../../internal/service/study/request.ts'
import { parseDuration } from '../../../internal/tui/duration.ts'
import { readNumber } from '../flags.ts'
import { type CommandArgs, type CommandOption, flagArg, stringArg } from '../verb.ts'
import { reportFileOption } from './output/study-presenter.ts'

/** Largest number that the flags accept for tasks at the same time, of a study or of a worker. */
export const maxSlots = 256

/** The flags for the limits of a study, which the commands `resume` and `ask` have too. */
export const budgetOptions: Readonly<Record<string, CommandOption>> = {
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

/** The flags for the place and the process of workers, which the commands `resume` and `ask` have too. */
export const placementOptions: Readonly<Record<string, CommandOption>> = {
  engine: {
    type: 'string',
    describe: 'embedded: workers on this machine; redis://…: workers on many (default embedded)',
    value: 'URL',
  },
  'engine-unsafe': { type: 'boolean', describe: 'Use a Redis server that does not keep every write' },
  'in-process': { type: 'boolean', describe: 'Embedded only: workers within this process' },
  local: {
    type: 'number',
    describe: 'Redis: tasks at once on this machine; 0 for remote workers alone',
    value: 'N',
  },
  'worker-wait': {
    type: 'string',
    describe: 'Redis: how long to wait for the first worker (default 30s)',
    value: 'D',
  },
}

export const outputOptions: Readonly<Record<string, CommandOption>> = {
  full: { type: 'boolean', describe: 'Print the whole report instead of the answer and its sources' },
  json: { type: 'boolean', describe: 'Print the whole report as one JSON object' },
  ...reportFileOption,
  quiet: { type: 'boolean', describe: 'No progress on standard error' },
}

export function readPlacement(args: CommandArgs): Omit<WorkerPlacement, 'engine'> {
  const workerWait = stringArg(args, 'worker-wait')
  return {
    inProcess: flagArg(args, 'in-process'),
    unsafe: flagArg(args, 'engine-unsafe'),
    workerWaitMs: workerWait === undefined ? 30_000 : parseDuration(workerWait),
    local: readNumber(args, 'local', 0, maxSlots),
  }
}

export function readBudget(args: CommandArgs): StudyRequest['budget'] {
  return {
    tokens: readNumber(args, 'budget-tokens', 0),
    usd: readNumber(args, 'budget-usd', 0, Number.MAX_SAFE_INTEGER, false),
    perWorkerTokens: readNumber(args, 'per-worker-tokens', 0),
  }
}
