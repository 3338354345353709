// A call and what came of it, joined from the events that tell of it.
import { objectOf } from '../../base/untrusted-json.ts'
import type { Event, EventPayload } from '../../event/event.ts'

/** A call that has begun; one that was refused never does. */
export interface ToolCall {
  call: string
  tool: string
  args: Readonly<Record<string, unknown>>
}

export interface ToolOutcome extends ToolCall {
  ok: boolean
  code: string | undefined
  /** What the model reads. */
  text: string
  data: Readonly<Record<string, unknown>>
  /** Long texts and lists in `data` are cut. */
  isCut: boolean
  ms: number | undefined
  /** Paths that the call was judged to write. */
  writes: readonly string[]
}

interface OutcomeReader {
  /** Takes in every event; a call when one begins. */
  begin(event: Event): ToolCall | undefined
  /** The outcome of a call that has ended. */
  end(payload: EventPayload<'tool.result'>): ToolOutcome
}

/** Arguments come with the call or, for one that never ran, with the model's reply. */
export function readOutcomes(): OutcomeReader {
  const asked = new Map<string, unknown>()
  const open = new Map<string, { args: unknown; writes: readonly string[] }>()
  return {
    begin(event) {
      if (event.type === 'message') {
        for (const { id, args } of event.payload.calls ?? []) asked.set(id, args)
      }
      if (event.type === 'permission.asked' && event.payload.args)
        open.set(event.payload.call, { args: event.payload.args, writes: [] })
      if (event.type !== 'tool.call') return undefined
      const { call, tool, args, scope } = event.payload
      open.set(call, { args, writes: writesOf(scope) })
      return { call, tool, args: recordOf(args) }
    },
    end({ call, tool, model_call: id, ok, code, text, data, data_cut: isCut, ms }) {
      const begun = open.get(call)
      const args = begun?.args ?? (id === undefined ? undefined : asked.get(id))
      open.delete(call)
      if (id !== undefined) asked.delete(id)
      const writes = begun?.writes ?? []
      const found = { call, tool, args: recordOf(args), ok, code, text, ms, writes }
      return { ...found, data: recordOf(data), isCut: isCut === true }
    },
  }
}

const recordOf = (value: unknown) => objectOf(value) ?? {}

function writesOf(scope: unknown): string[] {
  if (!Array.isArray(scope)) return []
  return scope.flatMap((one) => {
    const { kind, path, access } = recordOf(one)
    return kind === 'path' && access === 'write' && typeof path === 'string' ? [path] : []
  })
}
