// Records of direct calls: kept in a thread only when something was changed, cut, or recording was asked for.

import { createId } from '../../base/ids.ts'
import type { EventDraft } from '../../event/event.ts'
import type { Store } from '../../store/store.ts'
import type { CallLog } from '../../tool/ctx.ts'

interface DirectCallLog extends CallLog {
  /** The thread the records went to, once there is one. */
  thread(): string | undefined
}

/**
 * `changes` records calls with an effect, before they run; `always` every call. The store is opened on the
 * first record, so that a read costs no database.
 */
export function openDirectCallLog(options: {
  store: () => Promise<Store>
  workspace: string
  profile: string
  record: 'changes' | 'always'
}): DirectCallLog {
  const run = createId('run')
  let thread: string | undefined
  let waiting: EventDraft[] = []

  const flush = async () => {
    const store = await options.store()
    const { workspace, profile } = options
    thread ??= store.threads.create({ workspace, profile, title: titleOf(waiting) }).id
    store.threads.append(thread, run, waiting)
    waiting = []
    return store
  }
  return {
    thread: () => thread,
    async append(draft) {
      if (draft.type === 'tool.progress') return
      waiting.push(draft)
      if (options.record === 'always' || thread !== undefined || changes(draft)) await flush()
      // the end of a call that was not worth recording
      else if (draft.type === 'tool.result') waiting = []
    },
    async keep(_call, content) {
      return (await flush()).blobs.put(Buffer.from(content))
    },
  }
}

function changes(draft: EventDraft): boolean {
  return draft.type === 'tool.call' && draft.payload.effect !== 'read'
}

function titleOf(drafts: readonly EventDraft[]): string {
  const call = drafts.find((draft) => draft.type === 'tool.call')
  return call?.type === 'tool.call' ? `direct call of ${call.payload.tool}` : 'direct call'
}
