// Asks for a yes where a study is likely to cost more than it was given.
import { UserError } from '../../../internal/base/errors.ts'
import type { ApproveCost, StudyEstimate } from '../../../internal/service/study/cost-estimate.ts'
import { exitCodes } from '../exit-codes.ts'
import { type CommandArgs, type CommandIo, type CommandOption, flagArg } from '../verb.ts'

export const consentOption: Readonly<Record<string, CommandOption>> = {
  yes: { type: 'boolean', describe: 'Start although the estimate is above --budget-usd', alias: 'y' },
}

/**
 * Where the estimate stays within the limit, or --yes is given, nothing is asked. On a terminal a person
 * decides; elsewhere a UserError holds the figures.
 */
export function costConsent(args: CommandArgs, io: CommandIo): ApproveCost {
  return async (estimate) => {
    const { usd, limitUsd } = estimate
    // nothing is to be spent at all, so nothing will be
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
