// The flags that several commands of `anode study` share, the functions that read their values, and the
// question for consent that --yes answers.
import { UserError } from '../../../internal/base/errors.ts'
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import type { ApproveCost, StudyEstimate } from '../../../internal/service/study/cost-estimate.ts'
import type { StudyRequest, WorkerPlacement } from '../../../internal/service/study/request.ts'
import { parseDuration } from '../../../internal/tui/duration.ts'
import { exitCodes } from '../exit-codes.ts'
import { readNumber } from '../flags.ts'
import { confirmAtTerminal } from '../io/confirm.ts'
import { type CommandArgs, type CommandIo, type CommandOption, flagArg, stringArg } from '../verb.ts'
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

export const consentOption: Readonly<Record<string, CommandOption>> = {
  yes: { type: 'boolean', describe: 'Start although the estimate is above --budget-usd', alias: 'y' },
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

/** Returns the budget and the deadline in the flags; undefined for a deadline that is not set. */
export function readLimits(args: CommandArgs): { budget: StudyRequest['budget']; deadlineMs?: number } {
  const deadline = stringArg(args, 'deadline')
  return {
    budget: readBudget(args),
    deadlineMs: deadline === undefined ? undefined : parseDuration(deadline),
  }
}

export function readBudget(args: CommandArgs): StudyRequest['budget'] {
  return {
    tokens: readNumber(args, 'budget-tokens', 0),
    usd: readNumber(args, 'budget-usd', 0, Number.MAX_SAFE_INTEGER, false),
    perWorkerTokens: readNumber(args, 'per-worker-tokens', 0),
  }
}

/** Largest number of documents that a study reads without approval by the user, if the price is known. */
const manyDocuments = 100

/**
 * Returns the function that approves an estimate of cost. It resolves without a question if nothing needs
 * approval or if --yes is set. Otherwise the user decides on a terminal: it throws UserError if the user
 * declines, and without a terminal one with the reason. It also throws one, even with --yes, if a limit above
 * zero is set and the price is unknown.
 */
export function costConsent(args: CommandArgs, io: CommandIo): ApproveCost {
  return async (estimate) => {
    const { usd, limitUsd, documents } = estimate
    // A limit of zero allows no paid request, so an unknown price is then no error.
    if (limitUsd !== undefined && limitUsd !== 0 && usd === null) {
      throw new UserError(`the price of ${estimate.model} is not known, so --budget-usd cannot be kept`, {
        hint: 'set its "price" in the configuration (anode manual models), or give --budget-tokens instead',
      })
    }
    const reason = describeReason(estimate)
    if (reason === undefined || flagArg(args, 'yes')) return
    const isOver = limitUsd !== undefined && limitUsd !== 0 && usd !== null && usd > limitUsd
    const hint =
      documents !== undefined && !isOver
        ? `add --yes to start${documents > sampled ? `, or try it first with --sample ${sampled}` : ''}`
        : 'give more with --budget-usd, or --yes to start and stop at the limit'
    if (!io.stdin.isTTY || !io.stderr.isTTY) throw new UserError(reason, { hint })
    if (!(await confirmAtTerminal(`${reason}. Start${isOver ? ', and stop at the limit' : ''}?`, io)))
      throw new UserError('nothing was started', { hint, exit: exitCodes.denied })
  }
}

/** Number of documents that the hint proposes to read first. */
const sampled = 5

/** Returns the reason to ask the user; undefined if nothing needs approval. */
function describeReason({ model, usd, limitUsd, documents }: StudyEstimate): string | undefined {
  if (limitUsd !== undefined && limitUsd !== 0 && usd !== null && usd > limitUsd)
    return `this may cost about $${formatUsd(usd)} with ${model}, and --budget-usd is $${formatUsd(limitUsd)}`
  if (documents === undefined) return undefined
  const reads = `this reads ${countNoun(documents, 'document')}`
  if (usd === null) return `the price of ${model} is unknown, and ${reads}`
  return documents > manyDocuments ? reads : undefined
}

const formatUsd = (usd: number) => (usd < 0.1 ? usd.toFixed(4) : usd.toFixed(2))
