// The run of the calls of one response. Each gets exactly one result, in the model's order.
import type { Failure } from '../base/errors.ts'
import type { Model, ModelMessage, ModelToolCall } from '../model/model.ts'
import { unknownToolResult } from '../tool/authorization/refused-calls.ts'
import { newCallIds } from '../tool/call-ids.ts'
import type { Catalog } from '../tool/catalog.ts'
import type { Ctx, TurnRoom } from '../tool/ctx.ts'
import { searchName, unwrapCall } from '../tool/deferred-call.ts'
import { type CallRequest, type CallResult, refuseCall } from '../tool/invoke.ts'
import { failedResult, type ToolResult } from '../tool/result.ts'
import { schedule } from '../tool/schedule.ts'
import type { Budget } from './budget.ts'
import { toolMessage } from './messages.ts'
import { modelNotes } from './model-notes.ts'
import type { TurnReply } from './turn.ts'

interface Runner {
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
  agent: Runner,
  messages: ModelMessage[],
  reply: TurnReply,
): Promise<(() => Promise<void>)[]> {
  const { ctx, budget } = agent
  const stopped = new Map<string, ToolResult>()
  const runnable: CallRequest[] = []
  const calls = reply.calls.map((call) => (call.name === searchName ? unwrapCall(call) : call))
  for (const call of calls) {
    const why = await obstacle(agent, call, reply)
    if (why) stopped.set(call.id, why)
    else {
      budget.call()
      runnable.push({ modelCall: call.id, name: call.name, args: call.args })
    }
  }
  const resultRoom = ctx.agent?.resultRoom
  const turnRoom = resultRoom === undefined ? undefined : shareRoom(resultRoom, runnable.length)
  const results = schedule(agent.catalog, { ...ctx, agent: { ...ctx.agent, turnRoom } }, runnable)
  const settle: (() => Promise<void>)[] = []
  for (const call of calls) {
    const why = stopped.get(call.id)
    const result = why
      ? await refuseCall(ctx, newCallIds(ctx.gate, call.id), call.name, why)
      : await next(results, call)
    messages.push(toolMessage(call, result, agent.model))
    if (result.settle) settle.push(result.settle)
  }
  return settle
}

/**
 * Returns the failed result of a call that must not run: one of an incomplete response, with invalid
 * arguments, or above a limit. Returns undefined if the call may run.
 */
async function obstacle(
  { catalog, budget }: Runner,
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

async function next(results: AsyncGenerator<CallResult, void>, call: ModelToolCall): Promise<CallResult> {
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
  let left = total
  let waiting = calls
  return {
    reserve() {
      waiting--
      const room = Math.max(share, left - waiting * share)
      left -= room
      return room
    },
    release(reserved, used) {
      left += Math.max(0, reserved - used)
    },
  }
}
