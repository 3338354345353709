// Call ids: Anode's own id, which identifies a call, and the id of the call in a model's response.
import { createId } from '../base/ids.ts'
import type { Ctx } from './ctx.ts'

export interface CallIds {
  /** Anode's own id of the call, unique among the calls of a thread and the open questions. */
  call: string
  /** Id of the call for the model's endpoint only, which may use the same id again in its next response. */
  modelCall: string | undefined
}

/** The adapter (a tool with another program's name and parameters) under which a native tool was called. */
interface CalledAdapter {
  toolset: string
  name: string
}

/**
 * Returns a function that numbers the calls of a thread after `usedCount` earlier ones: `prefix` and the next
 * number. The numbers are reproducible, so that a run can be replayed.
 */
export function createCallNumbering(prefix: string, usedCount = 0): () => string {
  let last = usedCount
  return () => `${prefix}${++last}`
}

/** Returns the number in a call id of the main thread (`call_7`: 7); 0 for any other id. */
export function parseCallNumber(call: string): number {
  return Number(/^call_(\d{1,9})$/.exec(call)?.[1] ?? 0)
}

/** Returns both ids of a new call. */
export function newCallIds(gate: Pick<Ctx['gate'], 'nextCall'>, modelCall: string | undefined): CallIds {
  return { call: gate.nextCall?.() ?? createId('call'), modelCall }
}

/** Returns the fields that identify a call in the events of its approval, start and result. */
export function callEventFields({ call, modelCall }: CallIds, tool: string, adapter?: CalledAdapter) {
  return {
    call,
    tool,
    face: adapter ? `${adapter.toolset}/${adapter.name}` : undefined,
    model_call: modelCall,
  }
}

/**
 * Returns the id of a call in the model's response. Records of old threads contain only one id, which
 * serves as both.
 */
export function modelCallOf(payload: { call: string; model_call?: string | undefined }): string {
  return payload.model_call ?? payload.call
}
