// The question for consent before a study that may cost more than its limit, that reads many documents, or
// that reads documents at an unknown price.
import { UserError } from '../../../internal/base/errors.ts'
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import type { ApproveCost, StudyEstimate } from '../../../internal/service/study/cost-estimate.ts'
import { exitCodes } from '../exit-codes.ts'
import { type CommandArgs, type CommandIo, type CommandOption, flagArg } from '../verb.ts'
import { confirmAtTerminal } from './confirm.ts'

export const consentOption: Readonly<Record<string, CommandOption>> = {
  yes: { type: 'boolean', describe: 'Start although the estimate is above --budget-usd', alias: 'y' },
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
