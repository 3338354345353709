// A model whose every request is held back from the budget first, and whose every reply is in the log before
// it counts.
import type { Model, ModelEvent, ModelRequest, TokenUsage } from '../../model/model.ts'
import { identifyRequest } from '../../model/request-hash.ts'
import { estimateRequest, tokensOf } from '../../model/tokens.ts'
import type { BudgetAmount, BudgetLimits, Fence, Journal } from '../../store/journal/journal.ts'
import { type DeliveredMessage, makeStudyEntry, type StepReply } from '../log/entries.ts'
import { FencedError } from './task-stop.ts'

export interface BudgetLease {
  journal: Journal
  study: string
  fence: Fence
  /** Name under which the steps are kept: a task's id, `plan` or `report`. */
  task: string
  /** 0 to 1: how much of the study's totals may be used. */
  share: number
  /** Own limit of the task. */
  cap: BudgetLimits
  /** A limit in money is set; a model whose price is unknown cannot be held to it. */
  priced: boolean
  /** What request hashes leave out: the place of the workspace. */
  cwd: string
}

/** What stood in the prompt since the last reply, beside results. */
export interface PromptAdditions {
  mail: readonly DeliveredMessage[]
  notes: readonly string[]
}

interface MeteredModel {
  stream(
    request: ModelRequest,
    n: number,
    additions: PromptAdditions,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent>
}

/** Most output tokens of a reply, and the least that is worth asking for. */
const maxOutputTokens = 8192
const minOutputTokens = 1024

/**
 * A refusal by the budget ends the stream as `cancelled` after `refuse` was called with the reason. Throws
 * Fenced when the lease is gone, and what the journal throws: nothing of the reply counts then.
 */
export function meteredModel(
  model: Model,
  budgetLease: BudgetLease,
  refuse: (detail: string) => void,
): MeteredModel {
  return { stream: (...request) => streamMetered(model, budgetLease, refuse, ...request) }
}

async function* streamMetered(
  model: Model,
  budgetLease: BudgetLease,
  refuse: (detail: string) => void,
  request: ModelRequest,
  n: number,
  additions: PromptAdditions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { journal, study, fence, task } = budgetLease
  const reserved = await reserveBudget(model, budgetLease, request)
  if ('refused' in reserved) {
    refuse(reserved.refused)
    return yield { type: 'failure', failure: { kind: 'cancelled', message: reserved.refused } }
  }
  const asked = { ...request, maxOutput: reserved.out }
  const reply: StepReply & { calls: StepReply['calls'][number][] } = { text: '', calls: [], end: 'stop' }
  let usage: TokenUsage | undefined
  const started = performance.now()
  for await (const event of model.stream(asked, signal)) {
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
      const used = usage ?? counted(request, reply)
      const step = makeStudyEntry(
        'step',
        {
          task,
          n,
          request: identifyRequest(asked, budgetLease.cwd).hash,
          ...additions,
          reply,
          usage: used,
          ms: Math.round(performance.now() - started),
        },
        `step:${task}:${n}`,
      )
      const settled = { reservation: reserved.id, used: amountOf(used) }
      const done = await journal.append(study, [step], fence, settled)
      if (done.state !== 'ok') throw new FencedError()
    }
    yield event
  }
}

type BudgetReservation = { id: string; out: number } | { refused: string }

/** Asks for less output where the budget has no room for a long reply; only language models keep to it. */
async function reserveBudget(
  model: Model,
  budgetLease: BudgetLease,
  request: ModelRequest,
): Promise<BudgetReservation> {
  const { journal, study, fence, share, cap, priced } = budgetLease
  const input = estimateRequest(request)
  const rates = model.kind === 'llm' ? model.rates : { input: 0, output: 0 }
  if (priced && !rates) return { refused: `the price of ${model.id} is unknown and --budget-usd is set` }
  const need = (out: number): BudgetAmount => ({
    tokens: input + out,
    usd: rates ? (input * rates.input + out * rates.output) / 1_000_000 : 0,
  })
  const asked = await journal.reserve(study, fence, need(maxOutputTokens), share, cap)
  if (asked.state === 'fenced') throw new FencedError()
  if (asked.state === 'ok') return { id: asked.id, out: maxOutputTokens }
  const byTokens = asked.left.tokens - input
  const byMoney = rates?.output ? (asked.left.usd * 1_000_000 - input * rates.input) / rates.output : Infinity
  const out = Math.floor(Math.min(maxOutputTokens, byTokens, byMoney))
  if (model.kind === 'llm' && out >= minOutputTokens) {
    const less = await journal.reserve(study, fence, need(out), share, cap)
    if (less.state === 'fenced') throw new FencedError()
    if (less.state === 'ok') return { id: less.id, out }
  }
  const whose = asked.whose === 'study' ? 'the study' : 'the task'
  const left =
    asked.by === 'tokens' ? `${Math.floor(asked.left.tokens)} tokens` : `$${asked.left.usd.toFixed(4)}`
  const wanted =
    asked.by === 'tokens'
      ? `${need(minOutputTokens).tokens} tokens`
      : `$${need(minOutputTokens).usd.toFixed(4)}`
  return { refused: `${asked.by}: ${left} left for ${whose}, a step needs ${wanted} or more` }
}

function counted(request: ModelRequest, reply: StepReply): TokenUsage {
  const output = tokensOf(reply.text + JSON.stringify(reply.calls))
  return { input: estimateRequest(request), output, usd: null, estimated: true }
}

const amountOf = (usage: TokenUsage | undefined): BudgetAmount => ({
  tokens: usage ? usage.input + usage.output : 0,
  usd: usage?.usd ?? 0,
})
