// The child agents of a thread, as its stored events tell of them.
import { FailureError } from '../../base/errors.ts'
import type { EventType } from '../../event/event.ts'
import type { Store } from '../../store/store.ts'

const pageSize = 500

/** All that it has started, in order. A copy of it is none, though it names it as parent. */
export function listChildThreads(store: Store, parent: string): string[] {
  const children: string[] = []
  for (const event of readAll(store, parent, 0, ['child.started']))
    if (event.type === 'child.started') children.push(event.payload.thread)
  return children
}

/** Throws FailureError `not_found` for a thread that the parent has not started. */
export function demandChild(store: Store, parent: string, child: string): void {
  if (listChildThreads(store, parent).includes(child)) return
  throw new FailureError({ code: 'not_found', message: `${child} is no child of this session` })
}

/** Tells whether a child of `parent` still works; each call reads what was stored since the one before. */
export function watchRunningChildren(store: Store, parent: string): (child: string) => boolean {
  const running = new Set<string>()
  let from = 0
  return (child) => {
    for (const event of readAll(store, parent, from, settlingTypes)) {
      from = event.pos
      if (event.type === 'child.started') running.add(event.payload.thread)
      else if (event.type === 'child.ended') running.delete(event.payload.thread)
      // a run that ends takes its children along, and one that begins has none yet
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
