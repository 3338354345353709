// The end of a study: every claim checked, then the report, by rule when nothing else works.
import type { End } from '../../agent/end.ts'
import type { RequestMeta } from '../../model/model.ts'
import { aggregate, composed } from '../aggregate.ts'
import { verify } from '../check/verify.ts'
import { entry } from '../study.ts'
import type { Chair } from './chair.ts'
import { converse } from './converse.ts'
import { isBroke } from './schedule.ts'

/** Without claims there is no report. What is written already is not written again. */
export async function finish(chair: Chair): Promise<void> {
  const { lead, log, write } = chair
  const { state } = log
  const { verdicts } = await verify(state, lead.read)
  const fresh = verdicts.filter(({ claim }) => !state.verdicts.has(claim))
  await write(...fresh.map((verdict) => entry('verdict', verdict, `verdict:${verdict.claim}`)))
  if (state.report || state.claims.size === 0) return
  const made = isBroke(state)
    ? composed(state, 'budget')
    : await aggregate(state, (opening, meta) => speak(chair, opening, meta))
  if (made) await write(entry('report', made, state.reports === 0 ? 'report' : `report${state.reports + 1}`))
}

/** The aggregator's loop. It may use what is left of the budget, and has no time after the deadline. */
async function speak(chair: Chair, opening: string, { purpose, input }: RequestMeta): Promise<End> {
  const { log } = chair
  if (Date.now() >= log.state.head.deadline) return { end: 'limit', reason: 'time', text: '' }
  const talk = await converse(chair, 'report', { opening, meta: { purpose, input } }, chair.check)
  const end = await talk.proceed()
  await log.catchUp()
  switch (talk.stopped?.why) {
    case 'budget':
      return { end: 'limit', reason: 'tokens', text: '' }
    case 'deadline':
      return { end: 'limit', reason: 'time', text: '' }
    default:
      return end
  }
}
