// The subject of a call in one line, the same in every list of calls.
import { objectOf } from '../../base/untrusted-json.ts'

/**
 * The most specific arguments by tool, if they are not the first text. An empty list means that the call has
 * no subject.
 */
const telling: Readonly<Record<string, readonly string[]>> = {
  bash: ['command'],
  grep: ['pattern', 'path'],
  glob: ['pattern', 'path'],
  finder: ['query', 'path'],
  apply_patch: [],
  todo_write: [],
  render: [],
  chart: ['title', 'type'],
  ask_user: ['question'],
}

/** Returns the subject of a call: its most specific arguments, as raw text. */
export function subjectOf({ tool, args }: { tool: string; args: unknown }): string {
  const keys = telling[tool]
  const values = objectOf(args) ?? {}
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  const own = Object.entries(values).filter(([, value]) => isText(value))
  // an action needs the object that it applies to
  const first = own.slice(0, own[0]?.[0] === 'action' || own[0]?.[0] === 'operation' ? 2 : 1)
  const texts = keys ? keys.map((key) => values[key]) : first.map(([, value]) => value)
  return texts.filter((text) => isText(text) && text !== '.').join('  ')
}

const maxLineChars = 160

/** Returns the subject of a call in one line of at most 160 characters. */
export function tellingArgument(call: { tool: string; args: unknown }): string {
  const line = subjectOf(call).replace(/\s+/g, ' ')
  return line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line
}
