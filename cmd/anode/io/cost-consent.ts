// Asks for consent if the estimated cost of a study is above its limit.
import { UserError } from '../../../internal/base/errors.ts'
import type { ApproveCost, StudyEstimate } from '../../../internal/service/study/cost-estimate.ts'
import { exitCodes } from '../exit-codes.ts'
import { type CommandArgs, type CommandIo, type CommandOption, flagArg } from '../verb.ts'

export const consentOption: Readonly<Record<string, CommandOption>> = {
  yes: { type: 'boolean', describe: 'Start although the estimate is above --budget-usd', alias: 'y' },
}

/**
 * Returns the function that approves an estimate. It resolves without a question if the limit is undefined or
 * zero, the estimate is within the limit, or --yes is set. Otherwise the user decides on a terminal. It
 * throws a UserError with the figures without a terminal, or if the user declines. It also throws one if the
 * price is unknown.
 */
export function costConsent(args: CommandArgs, io: CommandIo): ApproveCost {
  return async (estimate) => {
    const { usd, limitUsd } = estimate
    // a limit of zero allows no paid request, so there is nothing to approve
    if (limitUsd === undefined || limitUsd === 0) return
    if (usd === null) {
      throw new UserError(`the price of ${estimate.model} is not known, so --budget-usd cannot be kept`, {
        hint: 'set its "price" in the configuration (anode manual models), or give --budget-tokens instead',
      })
    }
    if (usd <= limitUsd) return
    if (flagArg(args, 'yes')) return
    const figures = describe(estimate, usd, limitUsd)
    const hint = 'give more with --budget-usd, or --yes to start and stop at the limit'
    if (!io.stdin.isTTY || !io.stderr.isTTY) throw new UserError(figures, { hint })
    const { confirm } = await import('@clack/prompts')
    const answer = await confirm({
      message: `${figures}. Start, and stop at the limit?`,
      initialValue: false,
      input: io.stdin,
      output: io.stderr.stream,
      signal: io.signal,
    })
    if (answer !== true) throw new UserError('nothing was started', { hint, exit: exitCodes.denied })
  }
}

const describe = ({ model }: StudyEstimate, usd: number, limit: number): string =>
  `this may cost about $${money(usd)} with ${model}, and --budget-usd is $${money(limit)}`

const money = (usd: number) => (usd < 0.1 ? usd.toFixed(4) : usd.toFixed(2))
