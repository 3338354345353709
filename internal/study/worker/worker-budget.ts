// Model that reserves budget before every request, and records every response before the response is used.
import type { Model, ModelEvent, ModelRequest, TokenUsage } from '../../model/model.ts'
import { identifyRequest } from '../../model/request-hash.ts'
import { estimateRequest, tokensOf } from '../../model/tokens.ts'
import type {
  BudgetAmount,
  BudgetLimits,
  Fence,
  Journal,
  ReserveResult,
} from '../../store/journal/journal.ts'
import { type DeliveredMessage, makeStudyEntry, type StepReply } from '../log/entries.ts'
import { FencedError } from './task-stop.ts'

export interface BudgetLease {
  journal: Journal
  study: string
  fence: Fence
  /** Name under which steps are recorded: the id of a task, `plan`, or `report`, `report2` and so on. */
  task: string
  /** Share of the study's budget that may be used, from 0 to 1. */
  share: number
  /** Limit for this task alone. */
  cap: BudgetLimits
  /**
   * True for a final response that is requested because the budget refused another step. It may use the
   * budget that was kept for it.
   */
  closing?: boolean
  /** True if budget for the final response has to stay reserved during a request. */
  holdsClosing?: boolean
  /** True if the study has a limit in dollars, which a model with an unknown price cannot respect. */
  priced: boolean
  /** Path of the workspace, which is left out of the hashes of requests. */
  cwd: string
}

/** Share of the budget that tasks may use. The rest is kept for the report. */
export const workShare = 0.85

/** Texts and messages that the prompt got since the last response, in addition to results. */
export interface PromptAdditions {
  mail: readonly DeliveredMessage[]
  notes: readonly string[]
}

/**
 * Called with the reason if a request is refused. `left`: number of tokens that one final response
 * could still use.
 */
type RefuseRequest = (detail: string, left: number | undefined) => void

interface MeteredModel {
  stream(
    request: ModelRequest,
    n: number,
    additions: PromptAdditions,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent>
}

/**
 * Largest number of output tokens of a response; `minOutputTokens` is the smallest number for which a
 * request is made.
 */
const maxOutputTokens = 8192
const minOutputTokens = 1024

/**
 * Largest and smallest number of output tokens for the final response of a task, which contains only
 * claims and gaps.
 */
const closingTokens = { max: 2048, min: 256 } as const

/**
 * Share of the study's budget that may be spent when the final response of a task is paid. If too little is
 * left for the report, rules write it without tokens.
 */
const closingShare = 0.97

/**
 * Wraps the model. If the budget refuses a request, calls `refuse` with the reason and ends the stream as
 * `cancelled`. Throws FencedError when the lease is lost, and the errors of the journal; the response then
 * does not count.
 */
export function meteredModel(model: Model, budgetLease: BudgetLease, refuse: RefuseRequest): MeteredModel {
  return { stream: (...request) => streamMetered(model, budgetLease, refuse, ...request) }
}

async function* streamMetered(
  model: Model,
  budgetLease: BudgetLease,
  refuse: RefuseRequest,
  request: ModelRequest,
  n: number,
  additions: PromptAdditions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { journal, study, fence, task } = budgetLease
  const reserved = await reserveBudget(model, budgetLease, request)
  if ('refused' in reserved) {
    refuse(reserved.refused, reserved.left)
    return yield { type: 'failure', failure: { kind: 'cancelled', message: reserved.refused } }
  }
  const limitedRequest = { ...request, maxOutput: reserved.out }
  const reply: StepReply & { calls: StepReply['calls'][number][] } = { text: '', calls: [], end: 'stop' }
  let usage: TokenUsage | undefined
  const started = performance.now()
  for await (const event of model.stream(limitedRequest, signal)) {
    if (event.type === 'text') reply.text += event.text
    if (event.type === 'call') {
      const { type: _, ...call } = event
      reply.calls.push(call)
    }
    if (event.type === 'usage') {
      const { type: _, ...counted } = event
      usage = counted
    }
    if (event.type === 'discarded') {
      reply.text = ''
      reply.calls = []
    }
    if (event.type === 'failure') await journal.settle(study, reserved.id, amountOf(usage))
    if (event.type === 'end') {
      reply.end = event.reason
      if (event.carry) reply.carry = event.carry
      const stepUsage = usage ?? estimateUsage(request, reply)
      const step = makeStudyEntry(
        'step',
        {
          task,
          n,
          request: identifyRequest(limitedRequest, budgetLease.cwd).hash,
          ...additions,
          reply,
          usage: stepUsage,
          ms: Math.round(performance.now() - started),
        },
        `step:${task}:${n}`,
      )
      const settled = { reservation: reserved.id, used: amountOf(stepUsage) }
      const done = await journal.append(study, [step], fence, settled)
      if (done.state !== 'ok') throw new FencedError()
    }
    yield event
  }
}

type BudgetReservation = { id: string; out: number } | { refused: string; left?: number }

/**
 * Reserves budget for a request. If budget or window are small, less output is requested, which only language
 * models respect. With `holdsClosing`, the cost of the task's final response is reserved in addition.
 */
async function reserveBudget(
  model: Model,
  budgetLease: BudgetLease,
  request: ModelRequest,
): Promise<BudgetReservation> {
  const { journal, study, fence, cap, priced, closing = false } = budgetLease
  const share = closing ? closingShare : budgetLease.share
  const { max, min } = closing ? closingTokens : { max: maxOutputTokens, min: minOutputTokens }
  const input = estimateRequest(request)
  const rates = model.kind === 'llm' ? model.rates : { input: 0, output: 0 }
  if (priced && !rates) return { refused: `the price of ${model.id} is unknown and --budget-usd is set` }
  const later = model.kind === 'llm' && budgetLease.holdsClosing && !closing
  const amount = (tokensIn: number, out: number): BudgetAmount => ({
    tokens: tokensIn + out,
    usd: rates ? (tokensIn * rates.input + out * rates.output) / 1_000_000 : 0,
  })
  const need = (out: number) =>
    later ? amount(2 * input + out, out + closingTokens.max) : amount(input, out)
  const allowed = model.kind === 'llm' ? Math.max(min, Math.min(max, model.window - input)) : max
  const reservation = await journal.reserve(study, fence, need(allowed), share, cap)
  if (reservation.state === 'fenced') throw new FencedError()
  if (reservation.state === 'ok') return { id: reservation.id, out: allowed }
  const { left: remainingBudget } = reservation
  const fixed = need(0)
  const each = amount(later ? 1 : 0, 1)
  const byTokens = (remainingBudget.tokens - fixed.tokens) / each.tokens
  const byMoney = each.usd > 0 ? (remainingBudget.usd - fixed.usd) / each.usd : Number.POSITIVE_INFINITY
  const out = Math.floor(Math.min(allowed, byTokens, byMoney))
  if (model.kind === 'llm' && out >= min) {
    const less = await journal.reserve(study, fence, need(out), share, cap)
    if (less.state === 'fenced') throw new FencedError()
    if (less.state === 'ok') return { id: less.id, out }
  }
  return { refused: describeRefusal(reservation, need(min)), ...lastRoom(reservation, rates) }
}

type BudgetRefusal = Extract<ReserveResult, { state: 'refused' }>

function describeRefusal({ by, whose, left: remainingBudget }: BudgetRefusal, need: BudgetAmount): string {
  const owner = whose === 'study' ? 'the study' : 'the task'
  const rest =
    by === 'tokens' ? `${Math.floor(remainingBudget.tokens)} tokens` : `$${remainingBudget.usd.toFixed(4)}`
  const needText = by === 'tokens' ? `${need.tokens} tokens` : `$${need.usd.toFixed(4)}`
  return `${by}: ${rest} left for ${owner}, a step needs ${needText} or more`
}

/**
 * Returns how many tokens the remaining budget can pay, including the output of a final response; an empty
 * object if it has no limit.
 */
function lastRoom(
  { left: remainingBudget }: BudgetRefusal,
  rates: { input: number; output: number } | undefined,
): { left?: number } {
  const byMoney =
    rates && rates.input > 0
      ? (remainingBudget.usd * 1_000_000 - closingTokens.max * rates.output) / rates.input + closingTokens.max
      : Number.POSITIVE_INFINITY
  const room = Math.floor(Math.min(remainingBudget.tokens, byMoney))
  return Number.isFinite(room) ? { left: room } : {}
}

function estimateUsage(request: ModelRequest, reply: StepReply): TokenUsage {
  const output = tokensOf(reply.text + JSON.stringify(reply.calls))
  return { input: estimateRequest(request), output, usd: null, estimated: true }
}

const amountOf = (usage: TokenUsage | undefined): BudgetAmount => ({
  tokens: usage ? usage.input + usage.output : 0,
  usd: usage?.usd ?? 0,
})
