// Calls of deferred tools, which a model finds by a search. A call of `tool_search` contains the call of
// such a tool.
import { jsonOrText } from '../base/untrusted-json.ts'

/**
 * Name of the tool that searches for deferred tools. Its description never changes, so that successive
 * requests begin with the same text, which endpoints can cache.
 */
export const searchName = 'tool_search'

interface NamedCall {
  name: string
  args: unknown
}

/**
 * Returns the tool call inside a call of `tool_search`, with its arguments parsed if they are JSON text. A
 * call that contains only a search is returned unchanged.
 */
export function unwrapCall<T extends NamedCall>(call: T): T {
  if (typeof call.args !== 'object' || call.args === null) return call
  const { name, args } = call.args as { name?: unknown; args?: unknown }
  if (typeof name !== 'string' || args === undefined || args === null) return call
  return { ...call, name, args: typeof args === 'string' ? jsonOrText(args) : args }
}
