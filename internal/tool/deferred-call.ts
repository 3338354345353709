// Calls of tools that a model is not told of at once: they go through the one tool that finds them.

/** The tool whose description stays the same, so that no request changes before its last message. */
export const searchName = 'tool_search'

interface NamedCall {
  name: string
  args: unknown
}

/** The call that `call` stands for; `call` itself where it is not one that goes through the search. */
export function unwrapCall<T extends NamedCall>(call: T): T {
  if (call.name !== searchName || typeof call.args !== 'object' || call.args === null) return call
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
