// Runs the calls of one turn: asked in order, neighbours that only read side by side, results in order.
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
} from './invoke.ts'

/** Most calls that run at the same time. */
export const maxParallelCalls = 8

/**
 * Yields one result per request, in their order. Reads and spawns that stand side by side run together, everything
 * else alone. Approvals of a group are asked one at a time before any of it runs.
 */
export async function* schedule(
  catalog: Catalog,
  ctx: Ctx,
  requests: readonly CallRequest[],
): AsyncGenerator<CallResult, void> {
  const found = await Promise.all(requests.map((request) => parseCall(catalog, request, ctx)))
  for (const group of groups(found)) {
    const admitted: (AuthorizedCall | CallResult)[] = []
    for (const call of group) admitted.push('ms' in call ? call : await admitCall(call, ctx))
    yield* inOrder(admitted, ctx)
  }
}

function groups(calls: readonly (ParsedCall | CallResult)[]): (ParsedCall | CallResult)[][] {
  const out: (ParsedCall | CallResult)[][] = []
  let together = false
  for (const call of calls) {
    const joins = 'ms' in call || call.effect === 'read' || call.effect === 'spawn'
    if (joins && together) out.at(-1)?.push(call)
    else out.push([call])
    together = joins
  }
  return out
}

/** Starts at most `maxParallelCalls` at a time and hands out results in the order of the calls. */
async function* inOrder(
  calls: readonly (AuthorizedCall | CallResult)[],
  ctx: Ctx,
): AsyncGenerator<CallResult, void> {
  const started: Promise<CallResult>[] = []
  let running = 0
  const waiting: (() => void)[] = []
  const start = async (call: AuthorizedCall | CallResult): Promise<CallResult> => {
    if ('ms' in call) return call
    if (running >= maxParallelCalls) await new Promise<void>((resolve) => waiting.push(resolve))
    running++
    try {
      return await performCall(call, ctx)
    } finally {
      running--
      waiting.shift()?.()
    }
  }
  for (const call of calls) started.push(start(call))
  // a rejection is taken up when its turn comes; until then it must not count as unhandled
  for (const promise of started) promise.catch(() => undefined)
  for (const promise of started) yield await promise
}
