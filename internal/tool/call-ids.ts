// Call ids: the program's own, by which a call is known, and the one that a model's reply gave it.
import { createId } from '../base/ids.ts'
import type { Ctx } from './ctx.ts'

export interface CallIds {
  /** The program's own: no two calls of a thread and no two open questions have the same. */
  call: string
  /** Only good for talking to the endpoint, which may use it again in its next reply. */
  modelCall: string | undefined
}

/** The face that a native tool was called as. */
interface CalledFace {
  toolset: string
  name: string
}

/** Numbers the calls of a thread after `taken` earlier ones, reproducibly, so that a run can be replayed. */
export function createCallNumbering(prefix: string, taken = 0): () => string {
  let last = taken
  return () => `${prefix}${++last}`
}

/** The number in an own id without children, 0 for any other. */
export function parseCallNumber(call: string): number {
  return Number(/^call_(\d{1,9})$/.exec(call)?.[1] ?? 0)
}

/** Ids for a call that comes in now. */
export function newCallIds(gate: Pick<Ctx['gate'], 'nextCall'>, modelCall: string | undefined): CallIds {
  return { call: gate.nextCall?.() ?? createId('call'), modelCall }
}

/** The fields with which every event of a call begins. */
export function callEventFields({ call, modelCall }: CallIds, tool: string, face?: CalledFace) {
  return {
    call,
    tool,
    face: face ? `${face.toolset}/${face.name}` : undefined,
    model_call: modelCall,
  }
}

/** The id by which the conversation knows a call. Threads from before there were two ids carry one. */
export function modelCallOf(payload: { call: string; model_call?: string | undefined }): string {
  return payload.model_call ?? payload.call
}
