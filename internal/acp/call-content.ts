// Editor form of a call: its title and kind, the paths that it touches, and its result.
import { isAbsolute, resolve } from 'node:path'
import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk/unstable'
import { fenceText } from '../base/text/quoting/code-fence.ts'
import type { EventPayload } from '../event/event.ts'
import type { FileDiff } from '../tool/ask.ts'

/** A tool call as the editor shows it. `scope` and `effect` are known when the call begins. */
export interface ShownCall {
  tool: string
  args?: unknown
  effect?: string | undefined
  scope?: EventPayload<'tool.call'>['scope'] | undefined
}

const maxTitle = 200
const maxText = 20_000
const maxDiffs = 50

/**
 * Arguments that describe a call best, in order of preference. The title is the name of the tool and
 * the first of these values that is a non-empty text, cut to 200 characters. Without such a value it is
 * the name alone.
 */
const telling = [
  'command',
  'path',
  'pattern',
  'query',
  'url',
  'title',
  'question',
  'name',
  'text',
  'description',
]

export function titleOfCall({ tool, args }: ShownCall): string {
  const fields = Object(args) as Record<string, unknown>
  const about = telling.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '')
  if (about === undefined) return tool
  const line = String(about).replace(/\s+/g, ' ').trim()
  const short = line.length > maxTitle ? `${line.slice(0, maxTitle).toWellFormed()}…` : line
  return `${tool} ${short}`
}

/** Returns the kind of a call from its effect, scope and arguments, without knowing the tool by name. */
export function kindOfCall({ args, effect, scope = [] }: ShownCall): ToolKind {
  const fields = Object(args) as Record<string, unknown>
  if (effect === 'exec' || scope.some(({ kind }) => kind === 'command') || typeof fields.command === 'string')
    return 'execute'
  if (scope.some(({ kind }) => kind === 'host') || typeof fields.url === 'string') return 'fetch'
  const writes = scope.some((one) => one.kind === 'path' && one.access === 'write')
  if (writes || (effect === 'write' && typeof fields.path === 'string')) return 'edit'
  if (typeof fields.pattern === 'string' || typeof fields.query === 'string') return 'search'
  return scope.length > 0 || typeof fields.path === 'string' ? 'read' : 'other'
}

/**
 * Returns the paths in the scope of a call, made absolute and without duplicates; without such paths,
 * the argument `path` unless it begins with `@`. A single path has the line that the call's arguments
 * name, if any.
 */
export function locationsOfCall({ args, scope = [] }: ShownCall, cwd: string): ToolCallLocation[] {
  const fields = Object(args) as Record<string, unknown>
  const named = typeof fields.path === 'string' && !fields.path.startsWith('@') ? [fields.path] : []
  const touched = scope.flatMap((one) => (one.kind === 'path' ? [one.path] : []))
  const paths = [...new Set((touched.length > 0 ? touched : named).map((path) => toAbsolute(path, cwd)))]
  const line = [fields.start_line, fields.line].find((value) => Number.isInteger(value) && Number(value) > 0)
  return paths.map((path) =>
    line === undefined || paths.length > 1 ? { path } : { path, line: Number(line) },
  )
}

const toAbsolute = (path: string, cwd: string) => (isAbsolute(path) ? path : resolve(cwd, path))

/**
 * Returns the content of a result: its first 50 file changes as diffs. Without changes, the first
 * 20,000 characters of its text, which for a command are in a Markdown code block; an empty list if the
 * text is blank.
 */
export function contentOfResult(
  result: EventPayload<'tool.result'>,
  call: ShownCall,
  cwd: string,
): ToolCallContent[] {
  const diffs = readResultDiffs(result, call)
  if (diffs.length > 0) return diffs.slice(0, maxDiffs).flatMap((diff) => diffContent(diff, cwd))
  const { text } = result
  const shortText = text.length > maxText ? `${text.slice(0, maxText).toWellFormed()}\n…` : text
  if (shortText.trim() === '') return []
  return [textContent(kindOfCall(call) === 'execute' ? fenceOutput(shortText) : shortText)]
}

export const textContent = (text: string): ToolCallContent => ({
  type: 'content',
  content: { type: 'text', text },
})

/** Returns what a command has printed as a code block. */
export const fenceOutput = (text: string): string => fenceText(text.replace(/\n$/, ''))

/**
 * Returns the changes in a successful result: `diffs`, or one `diff` of one `path`, or the content of a new
 * file. Otherwise, and for a dry run, returns an empty list.
 */
function readResultDiffs({ ok, data }: EventPayload<'tool.result'>, { args }: ShownCall): FileDiff[] {
  const { diffs, path, diff, action, dry_run: isTrial } = Object(data) as Record<string, unknown>
  if (!ok || isTrial === true) return []
  if (Array.isArray(diffs) && diffs.length > 0) return diffs.filter(isShownDiff)
  if (typeof path !== 'string') return []
  const one = { path, what: 'changed', added: 0, removed: 0 }
  // the first two lines of a diff are its file headers
  if (typeof diff === 'string') return [{ ...one, hunks: diff.split('\n').slice(2).join('\n') }]
  const { content } = Object(args) as Record<string, unknown>
  if (action !== 'created' || typeof content !== 'string') return []
  const lines = content.replace(/\n$/, '').split('\n')
  return [{ ...one, what: 'created', hunks: lines.map((line) => `+${line}\n`).join('') }]
}

const isShownDiff = (value: unknown): value is FileDiff => {
  const { path, what, hunks } = Object(value) as Record<string, unknown>
  return [path, what, hunks].every((one) => typeof one === 'string')
}

/**
 * Returns one diff block for each hunk, with the hunk's lines before and after the change; a text block if
 * `hunks` is empty. A new file has no old text.
 */
export function diffContent({ path, what, hunks }: FileDiff, cwd: string): ToolCallContent[] {
  const place = toAbsolute(path, cwd)
  if (hunks === '') return [textContent(`${path}: ${what}`)]
  // A line begins only after LF, because the text of a line may contain a lone CR.
  return hunks
    .split(/(?<![^\n])@@[^\n]*\n/)
    .filter((hunk) => hunk !== '')
    .map((hunk) => {
      const lines = hunk.split('\n').filter((line) => !line.startsWith('\\'))
      if (lines.at(-1) === '') lines.pop()
      const side = (mark: string) =>
        lines
          .filter((line) => line[0] === ' ' || line[0] === mark || line === '')
          .map((line) => `${line.slice(1)}\n`)
          .join('')
      const isNew = what.startsWith('created')
      return { type: 'diff', path: place, oldText: isNew ? null : side('-'), newText: side('+') }
    })
}
