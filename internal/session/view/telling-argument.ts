// The subject of a call in one line, which is the same in every list of calls.
import { objectOf } from '../../base/untrusted-json.ts'

/**
 * For each tool, the arguments that describe a call best, unless that is the first text argument. An empty
 * list: calls of the tool get no description.
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

/**
 * Returns the subject of a call: the texts of the arguments that describe it best, joined by two spaces.
 * Empty texts and the path `.` are left out, so the subject may be empty.
 */
export function subjectOf({ tool, args }: { tool: string; args: unknown }): string {
  const keys = telling[tool]
  const values = objectOf(args) ?? {}
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  const textEntries = Object.entries(values).filter(([, value]) => isText(value))
  // If the first argument is an action, the object to which it applies is added.
  const first = textEntries.slice(
    0,
    textEntries[0]?.[0] === 'action' || textEntries[0]?.[0] === 'operation' ? 2 : 1,
  )
  const texts = keys ? keys.map((key) => values[key]) : first.map(([, value]) => value)
  return texts.filter((text) => isText(text) && text !== '.').join('  ')
}

const maxLineChars = 160

/**
 * Returns the subject of a call in one line. `⏎` replaces line ends, one space replaces other white space,
 * and `…` follows the first 160 characters of a longer subject.
 */
export function tellingArgument(call: { tool: string; args: unknown }): string {
  const text = subjectOf(call).trim()
  const line = text.replace(/\s*\n\s*/g, ' ⏎ ').replace(/\s+/g, ' ')
  return line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line
}
