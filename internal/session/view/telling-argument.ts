// Summary of a call's arguments in one line, for every list of calls.
const tellingKeys = [
  'command',
  'path',
  'file',
  'pattern',
  'query',
  'url',
  'question',
  'title',
  'task',
  'name',
]
const maxLineChars = 160

/** Returns the most informative argument, in one line. */
export function tellingArgument(args: unknown): string {
  const fields = (typeof args === 'object' && args !== null ? args : {}) as Record<string, unknown>
  const key = tellingKeys.find((one) => typeof fields[one] === 'string')
  const value = key === undefined ? Object.values(fields).find((one) => typeof one === 'string') : fields[key]
  const line = String(value ?? '').replace(/\s+/g, ' ')
  return line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line
}
