// Tool calls that the user types. They need no approval, but deny rules apply, and the record names the user.
import { createCatalog } from '../../tool/catalog.ts'
import type { CallLog, Ctx } from '../../tool/ctx.ts'
import { type CallRequest, type CallResult, invoke } from '../../tool/invoke.ts'
import type { Runtime } from '../runtime.ts'
import { visibleTools } from '../tools/tool-registry.ts'

/** Runs the call in `ctx`, the context of the thread. Never rejects for an error of the tool. */
export async function invokeAsUser(runtime: Runtime, ctx: Ctx, request: CallRequest): Promise<CallResult> {
  const { tools, web } = runtime.context.loaded.config
  // the user types the native names of tools, even if the model has other names for them
  const restrictions = { profile: undefined, disabled: tools?.disabled ?? [], web: web?.enabled ?? true }
  const catalog = createCatalog(visibleTools(runtime.entries(), restrictions))
  // typing the call approves it
  const ask: Ctx['gate']['ask'] = async () => ({ allow: true, why: 'the user typed it' })
  return invoke(catalog, { ...ctx, gate: { ...ctx.gate, ask }, log: logAsUser(ctx.log) }, request)
}

const logAsUser = (log: CallLog): CallLog => ({
  async append(draft) {
    switch (draft.type) {
      case 'tool.call':
        return log.append({ ...draft, payload: { ...draft.payload, by: 'person' } })
      case 'tool.result':
        return log.append({ ...draft, payload: { ...draft.payload, by: 'person' } })
      // the user typed the call, so no question about it is recorded
      case 'permission.asked':
      case 'permission.decided':
        return
      default:
        return log.append(draft)
    }
  },
  keep: (of, text) => log.keep(of, text),
})
