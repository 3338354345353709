// Model for an agent of a build. Each response is paid once from the budget and stored in the journal, so
// that a resumed build does not pay for it again.
import type { Model, ModelEvent, ModelRequest } from '../../model/model.ts'
import { identifyRequest } from '../../model/request-hash.ts'
import type { StepReply } from '../../study/log/entries.ts'
import { type BudgetLease, meteredModel, type PromptAdditions } from '../../study/worker/worker-budget.ts'

/** A model response that the journal has stored. */
export interface StoredReply {
  /** Hash of the request, without its limit on the output. */
  asked: string
  reply: StepReply
}

interface PaidModelOptions {
  model: Model
  lease: BudgetLease
  /**
   * `taken`: number of the last response of this conversation. `paid`: stored responses that a killed process
   * may not have used.
   */
  taken: number
  paid: readonly StoredReply[]
  /** Returns true if no further request may start. */
  isStopping(): boolean
  /** Called after a response has been stored in the journal. */
  onPaid(): Promise<void>
}

interface PaidModel {
  model: Model
  /** The latest reason why the budget refused a request; undefined if it has refused none. */
  readonly refused: string | undefined
}

/**
 * Data in the journal for a response: the hash of its request. The lists of mail and notes are empty
 * in a build.
 */
interface StepIdentity extends PromptAdditions {
  asked: string
}

/**
 * Wraps the model. A request whose response is stored in `paid` gets that response once and costs nothing. A
 * new response is stored in the journal before the caller gets its end. While the build stops, a new request
 * fails as cancelled.
 */
export function createPaidModel(options: PaidModelOptions): PaidModel {
  const { model, lease, taken: responseNumber, paid, isStopping, onPaid } = options
  let refused: string | undefined
  let last = responseNumber
  const stored = new Map(paid.map(({ asked: requestHash, reply }) => [requestHash, reply]))
  const metered = meteredModel(model, lease, (detail) => {
    refused = detail
  })
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const workRequest = {
      ...request,
      meta: { purpose: 'work' as const, ...request.meta, task: lease.task, taken: responseNumber },
    }
    const requestHash = identifyRequest(workRequest, lease.cwd).hash
    const before = stored.get(requestHash)
    if (before) {
      stored.delete(requestHash)
      yield* replayReply(before)
      return
    }
    if (isStopping())
      return yield { type: 'failure', failure: { kind: 'cancelled', message: 'the build stops' } }
    const identity: StepIdentity = { asked: requestHash, mail: [], notes: [] }
    last++
    for await (const event of metered.stream(workRequest, last, identity, signal)) {
      if (event.type === 'end') await onPaid()
      yield event
    }
  }
  return {
    model: { ...model, stream },
    get refused() {
      return refused
    },
  }
}

function* replayReply({ text, calls, end, carry }: StepReply): Generator<ModelEvent> {
  if (text !== '') yield { type: 'text', text }
  for (const call of calls) yield { type: 'call', ...call }
  yield { type: 'usage', input: 0, output: 0, usd: 0 }
  yield { type: 'end', reason: end, carry }
}
