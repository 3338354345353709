// The schedule of the calls of one turn: the user approves them in order, consecutive reads and starts of
// agents run in parallel, and the results keep the order.
import type { Catalog } from './catalog.ts'
import type { Ctx } from './ctx.ts'
import {
  type AuthorizedCall,
  admitCall,
  type CallRequest,
  type CallResult,
  type ParsedCall,
  parseCall,
  performCall,
  type RefusedCall,
} from './invoke.ts'

/** Largest number of calls that run at the same time, unless a catalog sets another. */
export const maxParallelCalls = 8

/**
 * Yields one result per request, in the order of the requests. Consecutive calls that read or start agents
 * form a group and run in parallel. All other calls, and tools with `alone`, run alone. The calls of a group
 * are approved one at a time before the first of them runs.
 */
export async function* schedule(
  catalog: Catalog,
  ctx: Ctx,
  requests: readonly CallRequest[],
): AsyncGenerator<CallResult, void> {
  const found = await Promise.all(requests.map((request) => parseCall(catalog, request, ctx)))
  for (const group of groups(found)) {
    const admitted: (AuthorizedCall | RefusedCall)[] = []
    for (const call of group) admitted.push(call.kind === 'refused' ? call : await admitCall(call, ctx))
    yield* inOrder(admitted, ctx, catalog.width ?? maxParallelCalls)
  }
}

function groups(calls: readonly (ParsedCall | RefusedCall)[]): (ParsedCall | RefusedCall)[][] {
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
