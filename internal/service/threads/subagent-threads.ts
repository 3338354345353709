// The subagents of a thread, from its stored events.
import { FailureError } from '../../base/errors.ts'
import type { EventType } from '../../event/event.ts'
import type { Store } from '../../store/store.ts'

const pageSize = 500

/**
 * Returns the threads of the subagents that `parent` has started, oldest first. Forks of `parent`
 * are not included.
 */
export function listChildThreads(store: Store, parent: string): string[] {
  const children: string[] = []
  for (const event of readAll(store, parent, 0, ['child.started']))
    if (event.type === 'child.started') children.push(event.payload.thread)
  return children
}

/** Throws FailureError `not_found` for a thread that the parent has not started. */
export function demandChild(store: Store, parent: string, child: string): void {
  if (listChildThreads(store, parent).includes(child)) return
  throw new FailureError({ code: 'not_found', message: `${child} is not a subagent of this session` })
}

/**
 * Returns a function that checks whether a subagent of `parent` is running. Each call reads only the events
 * since the previous call.
 */
export function watchRunningChildren(store: Store, parent: string): (child: string) => boolean {
  const running = new Set<string>()
  let from = 0
  return (child) => {
    for (const event of readAll(store, parent, from, settlingTypes)) {
      from = event.pos
      if (event.type === 'child.started') running.add(event.payload.thread)
      else if (event.type === 'child.ended') running.delete(event.payload.thread)
      // at the beginning and at the end of a run, no earlier subagent is running any more
      else running.clear()
    }
    return running.has(child)
  }
}

const settlingTypes: readonly EventType[] = ['system.init', 'child.started', 'child.ended', 'run.ended']

function* readAll({ threads }: Store, thread: string, after: number, types: readonly EventType[]) {
  for (let from = after; ; ) {
    const page = threads.events(thread, from, pageSize, types)
    yield* page
    const last = page.at(-1)
    if (!last || page.length < pageSize) return
    from = last.pos
  }
}
