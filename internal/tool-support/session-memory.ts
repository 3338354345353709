// What a tool remembers from one call of a session to the next, and forgets with the session.
import type { Ctx } from '../tool/ctx.ts'

/** Of each session its own, made when it is first asked for; where no other call can follow, a new one. */
export function createSessionMemory<T>(make: () => T): (ctx: Pick<Ctx, 'seen'>) => T {
  // every agent of its own has its own record of what it has read, and that lives as long as the agent
  const kept = new WeakMap<object, T>()
  return ({ seen }) => {
    if (!seen) return make()
    const there = kept.get(seen) ?? make()
    kept.set(seen, there)
    return there
  }
}
