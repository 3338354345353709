// Calls that a person makes in a session: under deny rules, on record, and no part of what the model said.

import type { Profile } from '../../profile/profile.ts'
import { createCatalog } from '../../tool/catalog.ts'
import type { CallLog, Ctx } from '../../tool/ctx.ts'
import { type CallRequest, type CallResult, invoke } from '../../tool/invoke.ts'
import type { Runtime } from '../runtime.ts'
import { visibleTools } from '../tool-registry.ts'
import type { OpenedSessionThread } from './session-thread.ts'

interface PersonCall {
  runtime: Runtime
  profile: Profile
  thread: OpenedSessionThread
  adaptCtx(ctx: Ctx): Ctx
  signal: AbortSignal
  request: CallRequest
}

/** Never rejects for what the tool does. */
export async function callAsPerson(call: PersonCall): Promise<CallResult> {
  const { runtime, profile, thread, signal, request } = call
  const { conversation, record } = thread
  const log: CallLog = {
    async append(draft) {
      switch (draft.type) {
        case 'tool.call':
          return record.append({ ...draft, payload: { ...draft.payload, by: 'person' } })
        case 'tool.result':
          return record.append({ ...draft, payload: { ...draft.payload, by: 'person' } })
        // nobody is asked
        case 'permission.asked':
        case 'permission.decided':
          return
        default:
          return record.append(draft)
      }
    },
    keep: (of, text) => record.keep(of, text),
  }
  const made = await runtime.ctx({
    thread: conversation.thread,
    profile,
    log,
    // typing it is the answer
    ask: async () => ({ allow: true, why: 'the person has typed it' }),
    warn: () => undefined,
  })
  const ctx = call.adaptCtx({ ...made, signal, seen: conversation.seen, nextCall: conversation.nextCall })
  // whatever names a model has for them
  const { tools, web } = runtime.context.loaded.config
  const own = { profile: undefined, disabled: tools?.disabled ?? [], web: web?.enabled ?? true }
  const result = await invoke(createCatalog(visibleTools(runtime.entries(), own)), ctx, request)
  record.flush()
  return result
}
