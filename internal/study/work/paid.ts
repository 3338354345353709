// A model whose every request is held back from the budget first, and whose every reply is in the log before it counts.
import type { Model, ModelEvent, ModelRequest, Usage } from '../../model/model.ts'
import { identify } from '../../model/request-hash.ts'
import { estimate, tokensOf } from '../../model/tokens.ts'
import type { Fence, Journal, Limits, Spend } from '../../store/journal/journal.ts'
import { type Delivered, entry, type StepReply } from '../study.ts'
import { Fenced } from './stop.ts'

export interface Purse {
  journal: Journal
  study: string
  fence: Fence
  /** Name under which the steps are kept: a task's id, `plan` or `report`. */
  task: string
  /** 0 to 1: how much of the study's totals may be used. */
  share: number
  /** Own limit of the task. */
  cap: Limits
  /** A limit in money is set; a model whose price is unknown cannot be held to it. */
  priced: boolean
  /** What request hashes leave out: the place of the workspace. */
  cwd: string
}

/** What stood in the prompt since the last reply, beside results. */
export interface Around {
  mail: readonly Delivered[]
  notes: readonly string[]
}

export interface Paid {
  stream(request: ModelRequest, n: number, around: Around, signal: AbortSignal): AsyncGenerator<ModelEvent>
}

/** Most output tokens of a reply, and the least that is worth asking for. */
const mostOut = 8192
const leastOut = 1024

/**
 * A refusal by the budget ends the stream as `cancelled` after `refuse` was told why. Throws Fenced when the lease is
 * gone, and what the journal throws: nothing of the reply counts then.
 */
export function paid(model: Model, purse: Purse, refuse: (detail: string) => void): Paid {
  const { journal, study, fence, task } = purse
  async function* stream(
    request: ModelRequest,
    n: number,
    around: Around,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent> {
    const hold = await holdBack(model, purse, request)
    if ('refused' in hold) {
      refuse(hold.refused)
      return yield { type: 'failure', failure: { kind: 'cancelled', message: hold.refused } }
    }
    const asked = { ...request, maxOutput: hold.out }
    const reply: StepReply & { calls: StepReply['calls'][number][] } = { text: '', calls: [], end: 'stop' }
    let usage: Usage | undefined
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
      if (event.type === 'failure') await journal.settle(study, hold.id, spend(usage))
      if (event.type === 'end') {
        reply.end = event.reason
        if (event.carry) reply.carry = event.carry
        const used = usage ?? counted(request, reply)
        const step = entry(
          'step',
          {
            task,
            n,
            request: identify(asked, purse.cwd).hash,
            ...around,
            reply,
            usage: used,
            ms: Math.round(performance.now() - started),
          },
          `step:${task}:${n}`,
        )
        const settled = { reservation: hold.id, used: spend(used) }
        const done = await journal.append(study, [step], fence, settled)
        if (done.state !== 'ok') throw new Fenced()
      }
      yield event
    }
  }
  return { stream }
}

type Hold = { id: string; out: number } | { refused: string }

/** Asks for less output where the budget has no room for a long reply; only language models keep to it. */
async function holdBack(model: Model, purse: Purse, request: ModelRequest): Promise<Hold> {
  const { journal, study, fence, share, cap, priced } = purse
  const input = estimate(request)
  const rates = model.kind === 'llm' ? model.rates : { input: 0, output: 0 }
  if (priced && !rates) return { refused: `the price of ${model.id} is unknown and --budget-usd is set` }
  const need = (out: number): Spend => ({
    tokens: input + out,
    usd: rates ? (input * rates.input + out * rates.output) / 1_000_000 : 0,
  })
  const asked = await journal.reserve(study, fence, need(mostOut), share, cap)
  if (asked.state === 'fenced') throw new Fenced()
  if (asked.state === 'ok') return { id: asked.id, out: mostOut }
  const byTokens = asked.left.tokens - input
  const byMoney = rates?.output ? (asked.left.usd * 1_000_000 - input * rates.input) / rates.output : Infinity
  const out = Math.floor(Math.min(mostOut, byTokens, byMoney))
  if (model.kind === 'llm' && out >= leastOut) {
    const less = await journal.reserve(study, fence, need(out), share, cap)
    if (less.state === 'fenced') throw new Fenced()
    if (less.state === 'ok') return { id: less.id, out }
  }
  const whose = asked.whose === 'study' ? 'the study' : 'the task'
  const left =
    asked.by === 'tokens' ? `${Math.floor(asked.left.tokens)} tokens` : `$${asked.left.usd.toFixed(4)}`
  const wanted =
    asked.by === 'tokens' ? `${need(leastOut).tokens} tokens` : `$${need(leastOut).usd.toFixed(4)}`
  return { refused: `${asked.by}: ${left} left for ${whose}, a step needs ${wanted} or more` }
}

function counted(request: ModelRequest, reply: StepReply): Usage {
  const output = tokensOf(reply.text + JSON.stringify(reply.calls))
  return { input: estimate(request), output, usd: null, estimated: true }
}

const spend = (usage: Usage | undefined): Spend => ({
  tokens: usage ? usage.input + usage.output : 0,
  usd: usage?.usd ?? 0,
})
