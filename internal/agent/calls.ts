// Runs the calls of one reply; each gets exactly one result, in the order the model made them.
import type { Failure } from '../base/errors.ts'
import type { Call, ModelMessage } from '../model/model.ts'
import { newCallIds } from '../tool/call-ids.ts'
import type { Catalog } from '../tool/catalog.ts'
import type { Ctx } from '../tool/ctx.ts'
import { type Invoked, type Request, refused, unknownTool } from '../tool/invoke.ts'
import { failed, type Result } from '../tool/result.ts'
import { schedule } from '../tool/schedule.ts'
import type { Budget } from './budget.ts'
import { notes } from './notes.ts'
import { toolMessage } from './speak.ts'
import type { Reply } from './turn.ts'

interface Runner {
  readonly catalog: Catalog
  readonly ctx: Ctx
  readonly budget: Budget
}

/** Appends one tool message per call and returns what is to be settled once they are on disk. */
export async function runCalls(
  agent: Runner,
  messages: ModelMessage[],
  reply: Reply,
): Promise<(() => Promise<void>)[]> {
  const { ctx, budget } = agent
  const stopped = new Map<string, Result>()
  const runnable: Request[] = []
  for (const call of reply.calls) {
    const why = obstacle(agent, call, reply)
    if (why) stopped.set(call.id, why)
    else {
      budget.call()
      runnable.push({ modelCall: call.id, name: call.name, args: call.args })
    }
  }
  const results = schedule(agent.catalog, ctx, runnable)
  const settle: (() => Promise<void>)[] = []
  for (const call of reply.calls) {
    const why = stopped.get(call.id)
    const result = why
      ? await refused(ctx, newCallIds(ctx, call.id), call.name, why)
      : await next(results, call)
    messages.push(toolMessage(call, result))
    if (result.settle) settle.push(result.settle)
  }
  return settle
}

/** Nothing runs from a half reply, from guessed arguments, or beyond a limit. */
function obstacle({ catalog, budget }: Runner, call: Call, reply: Reply): Result | undefined {
  if (call.malformed) {
    const { error, position } = call.malformed
    const unread = `the arguments are not valid JSON: ${error} at character ${position}`
    if (catalog.find(call.name)) {
      return failed('bad_args', unread, { hint: 'send the call again with one complete JSON object' })
    }
    const { message, hint } = unknownTool(catalog, call.name).failed as Failure
    return failed('unknown_tool', `${message}, and ${unread}`, { ...(hint !== undefined && { hint }) })
  }
  if (reply.end === 'filter') return failed('denied', notes.filteredCall)
  if (reply.end === 'length') return failed('bad_args', notes.cutCall)
  const over = budget.reached()
  return over === undefined ? undefined : failed('cancelled', notes.over(over))
}

async function next(results: AsyncGenerator<Invoked, void>, call: Call): Promise<Invoked> {
  const { value } = await results.next()
  if (!value) throw new Error(`the scheduler returned no result for ${call.id}`)
  return value
}
