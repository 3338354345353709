// A call that a person has made by typing it: no question, deny rules hold, and it is on record as theirs.
import { createCatalog } from '../../tool/catalog.ts'
import type { CallLog, Ctx } from '../../tool/ctx.ts'
import { type CallRequest, type CallResult, invoke } from '../../tool/invoke.ts'
import type { Runtime } from '../runtime.ts'
import { visibleTools } from '../tools/tool-registry.ts'

/** `ctx` is that of the thread. Never rejects for what the tool does. */
export async function invokeAsPerson(runtime: Runtime, ctx: Ctx, request: CallRequest): Promise<CallResult> {
  const { tools, web } = runtime.context.loaded.config
  // whatever names a model has for them
  const own = { profile: undefined, disabled: tools?.disabled ?? [], web: web?.enabled ?? true }
  const catalog = createCatalog(visibleTools(runtime.entries(), own))
  // typing it is the answer
  const ask: Ctx['gate']['ask'] = async () => ({ allow: true, why: 'the user typed it' })
  return invoke(catalog, { ...ctx, gate: { ...ctx.gate, ask }, log: logAsPerson(ctx.log) }, request)
}

const logAsPerson = (log: CallLog): CallLog => ({
  async append(draft) {
    switch (draft.type) {
      case 'tool.call':
        return log.append({ ...draft, payload: { ...draft.payload, by: 'person' } })
      case 'tool.result':
        return log.append({ ...draft, payload: { ...draft.payload, by: 'person' } })
      // nobody is asked
      case 'permission.asked':
      case 'permission.decided':
        return
      default:
        return log.append(draft)
    }
  },
  keep: (of, text) => log.keep(of, text),
})
