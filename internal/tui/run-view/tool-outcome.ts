// A tool call with its outcome, in the form in which views draw it.
import { objectOf } from '../../base/untrusted-json.ts'
import type { EventPayload } from '../../event/event.ts'
import { type CallBlock, findCallBlock, type SessionView } from '../../session/view/session-view.ts'

export interface ToolOutcome {
  call: string
  tool: string
  args: Readonly<Record<string, unknown>>
  ok: boolean
  code: string | undefined
  /** The text of the result for the model. */
  text: string
  data: Readonly<Record<string, unknown>>
  /** True if long texts and lists in `data` were truncated. */
  isCut: boolean
  ms: number | undefined
}

/**
 * Returns the outcome of a result. The arguments of the call come from the view before the result, or from
 * the model's response.
 */
export function readOutcome(result: EventPayload<'tool.result'>, before: SessionView): ToolOutcome {
  const { call, tool, model_call: id } = result
  const running = before.calls.find((one) => one.call === call)
  const callArgs = running ? running.args : findCallBlock(before, call)?.args
  return outcomeOf(tool, callArgs ?? before.announced.find((one) => one.id === id)?.args, result)
}

/** Returns the outcome of a call; undefined for a call without a result. */
export const outcomeOfBlock = ({ tool, args, result }: CallBlock): ToolOutcome | undefined =>
  result && outcomeOf(tool, args, result)

function outcomeOf(tool: string, args: unknown, result: EventPayload<'tool.result'>): ToolOutcome {
  const { call, ok, code, text, data, data_cut: isCut, ms } = result
  const baseOutcome = { call, tool, args: objectOf(args) ?? {}, ok, code, text, ms }
  return { ...baseOutcome, data: objectOf(data) ?? {}, isCut: isCut === true }
}
