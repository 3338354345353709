// What follows a response: the run of its calls, or the stop of the model. Reads and starts of agents run at
// the same time, all other calls one at a time. Each gets exactly one result, in the model's order. The model
// stops with a response without calls, which ends the run unless the gate or a message continues it.
import type { Failure } from '../base/errors.ts'
import type { EventDraft } from '../event/event.ts'
import type { Model, ModelMessage, ModelToolCall } from '../model/model.ts'
import { unknownToolResult } from '../tool/authorization/refused-calls.ts'
import { newCallIds } from '../tool/call-ids.ts'
import type { Catalog } from '../tool/catalog.ts'
import type { Ctx, TurnRoom } from '../tool/ctx.ts'
import { searchName, unwrapCall } from '../tool/deferred-call.ts'
import {
  type AuthorizedCall,
  admitCall,
  type CallRequest,
  type CallResult,
  type ParsedCall,
  parseCall,
  performCall,
  type RefusedCall,
  refuseCall,
} from '../tool/invoke.ts'
import { failedResult, type ToolResult } from '../tool/result.ts'
import { abortedEnd } from './abnormal-end.ts'
import type { Agent } from './agent.ts'
import type { Budget } from './budget.ts'
import { appendUserMessage, findOpenAnswer, toolMessage } from './messages.ts'
import { modelNotes } from './model-notes.ts'
import type { RunEnd } from './run-end.ts'
import type { TurnReply } from './turn.ts'

interface RunnerParts {
  readonly catalog: Catalog
  readonly ctx: Ctx
  readonly budget: Budget
  readonly model: Model
}

/**
 * Runs the calls of a response and appends one tool message per call. Returns functions that some tools want
 * to run once the messages are on disk.
 */
export async function runReplyCalls(
  agent: RunnerParts,
  messages: ModelMessage[],
  reply: TurnReply,
): Promise<(() => Promise<void>)[]> {
  const { ctx, budget } = agent
  const stopped = new Map<string, ToolResult>()
  const runnable: CallRequest[] = []
  const calls = reply.calls.map((call) => (call.name === searchName ? unwrapCall(call) : call))
  for (const call of calls) {
    const why = await findObstacle(agent, call, reply)
    if (why) stopped.set(call.id, why)
    else {
      budget.call()
      runnable.push({ modelCall: call.id, name: call.name, args: call.args })
    }
  }
  const resultRoom = ctx.agent?.resultRoom
  const turnRoom = resultRoom === undefined ? undefined : shareRoom(resultRoom, runnable.length)
  const results = scheduleCalls(agent.catalog, { ...ctx, agent: { ...ctx.agent, turnRoom } }, runnable)
  const settle: (() => Promise<void>)[] = []
  for (const call of calls) {
    const why = stopped.get(call.id)
    const result = why
      ? await refuseCall(ctx, newCallIds(ctx.gate, call.id), call.name, why)
      : await takeResult(results, call)
    messages.push(toolMessage(call, result, agent.model))
    if (result.settle) settle.push(result.settle)
  }
  return settle
}

/**
 * Returns the failed result of a call that must not run: one of an incomplete response, with invalid
 * arguments, or above a limit. Returns undefined if the call may run.
 */
async function findObstacle(
  { catalog, budget }: RunnerParts,
  call: ModelToolCall,
  reply: TurnReply,
): Promise<ToolResult | undefined> {
  if (call.malformed) {
    const { error, position } = call.malformed
    const unread =
      position < 0 ? error : `the arguments are not valid JSON: ${error} at character ${position}`
    if (catalog.find(call.name)) {
      if (position < 0) return failedResult('bad_args', unread)
      return failedResult('bad_args', unread, { hint: 'send the call again with one complete JSON object' })
    }
    const unknown = await unknownToolResult(catalog, call.name, { isModel: true })
    const { message, hint } = unknown.failed as Failure
    return failedResult('unknown_tool', `${message}, and ${unread}`, { hint })
  }
  if (reply.end === 'filter') return failedResult('denied', modelNotes.filteredCall)
  if (reply.end === 'length') return failedResult('bad_args', modelNotes.cutCall)
  const over = budget.reached()
  return over === undefined ? undefined : failedResult('cancelled', modelNotes.over(over))
}

async function takeResult(
  results: AsyncGenerator<CallResult, void>,
  call: ModelToolCall,
): Promise<CallResult> {
  const { value } = await results.next()
  if (!value) throw new Error(`the scheduler returned no result for ${call.id}`)
  return value
}

/** Smallest limit in characters for each result of a turn, even with many calls. */
const minShare = 1_500

/**
 * Returns the distribution of `total` characters among the results of a turn with `calls` calls. Each
 * result may have an equal part of at least 1,500 characters, and also the characters that earlier results
 * did not use.
 */
export function shareRoom(total: number, calls: number): TurnRoom {
  const share = Math.max(minShare, Math.floor(total / calls))
  let remainingChars = total
  let waiting = calls
  return {
    reserve() {
      waiting--
      const room = Math.max(share, remainingChars - waiting * share)
      remainingChars -= room
      return room
    },
    release(reserved, usedChars) {
      remainingChars += Math.max(0, reserved - usedChars)
    },
  }
}

/** Largest number of calls that run at the same time, unless a catalog sets another. */
export const maxParallelCalls = 8

/**
 * Yields one result per request, in the order of the requests. Consecutive calls that read or start agents
 * form a group and run in parallel. All other calls, and tools with `alone`, run alone. The calls of a group
 * are approved one at a time before the first of them runs.
 */
export async function* scheduleCalls(
  catalog: Catalog,
  ctx: Ctx,
  requests: readonly CallRequest[],
): AsyncGenerator<CallResult, void> {
  const parsedCalls = await Promise.all(requests.map((request) => parseCall(catalog, request, ctx)))
  for (const group of groupCalls(parsedCalls)) {
    const admitted: (AuthorizedCall | RefusedCall)[] = []
    for (const call of group) admitted.push(call.kind === 'refused' ? call : await admitCall(call, ctx))
    yield* inOrder(admitted, ctx, catalog.width ?? maxParallelCalls)
  }
}

function groupCalls(calls: readonly (ParsedCall | RefusedCall)[]): (ParsedCall | RefusedCall)[][] {
  const out: (ParsedCall | RefusedCall)[][] = []
  let together = false
  for (const call of calls) {
    const joins =
      call.kind === 'refused' || (!call.tool.alone && (call.effect === 'read' || call.effect === 'spawn'))
    if (joins && together) out.at(-1)?.push(call)
    else out.push([call])
    together = joins
  }
  return out
}

/** Runs at most `width` calls at a time and yields results in the order of the calls. */
async function* inOrder(
  calls: readonly (AuthorizedCall | RefusedCall)[],
  ctx: Ctx,
  width: number,
): AsyncGenerator<CallResult, void> {
  const started: Promise<CallResult>[] = []
  let running = 0
  const waiting: (() => void)[] = []
  const start = async (call: AuthorizedCall | RefusedCall): Promise<CallResult> => {
    if (call.kind === 'refused') return call.result
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve))
    running++
    try {
      return await performCall(call, ctx)
    } finally {
      running--
      waiting.shift()?.()
    }
  }
  for (const call of calls) started.push(start(call))
  // The rejection of a call is handled when its result is due; until then it must not count as unhandled.
  for (const promise of started) promise.catch(() => undefined)
  for (const promise of started) yield await promise
}

/**
 * Returns the end of the run at an answer. Without an end, the run continues with the messages that were
 * appended; `isNewTask` is true if one of them is from the user.
 */
export async function* stopAt(
  agent: Agent,
  messages: ModelMessage[],
  text: string,
): AsyncGenerator<EventDraft, { end?: RunEnd; isNewTask?: boolean }> {
  // messages that the user has sent meanwhile come before the check
  let more = agent.gate ? await agent.inbox(false) : []
  if (more.length === 0) {
    const verdict = await agent.gate?.atStop(text)
    if (agent.ctx.signal.aborted) return { end: abortedEnd(messages, agent.ctx.signal) }
    if (verdict && 'end' in verdict) return verdict
    if (verdict) {
      yield* appendUserMessage(messages, verdict.message)
      return {}
    }
    more = await agent.inbox(true)
    if (more.length === 0) return { end: { end: 'done', text } }
  }
  for (const message of more) yield* appendUserMessage(messages, message)
  return { isNewTask: more.some((message) => message.role === 'user' && message.origin === undefined) }
}

/**
 * Handles the open answer of a resumed run that was interrupted between its answer and the check. Returns the
 * end of the run; undefined without a gate or such an answer, or if the run continues.
 */
export async function* stopAtOpenAnswer(
  agent: Agent,
  messages: ModelMessage[],
): AsyncGenerator<EventDraft, RunEnd | undefined> {
  const open = agent.gate && findOpenAnswer(messages)
  return open === undefined ? undefined : (yield* stopAt(agent, messages, open)).end
}
