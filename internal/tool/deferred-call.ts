// Calls of deferred tools. They go through the tool that searches for tools.

/**
 * Name of the tool that searches for deferred tools. Its description stays the same, so that requests change
 * only at their end.
 */
export const searchName = 'tool_search'

interface NamedCall {
  name: string
  args: unknown
}

/**
 * Returns the call that a call of the search tool contains, with its arguments parsed if they are JSON text.
 * Returns the call unchanged if it contains none, such as a search.
 */
export function unwrapCall<T extends NamedCall>(call: T): T {
  if (typeof call.args !== 'object' || call.args === null) return call
  const { name, args } = call.args as { name?: unknown; args?: unknown }
  if (typeof name !== 'string' || args === undefined || args === null) return call
  return { ...call, name, args: typeof args === 'string' ? parseArguments(args) : args }
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
