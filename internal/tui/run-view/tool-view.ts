// The parts of a call that a view shows to the user: subject, figures, reason and detail. They depend on the
// tool and on its data.
import { countNoun } from '../../base/text/count-noun.ts'
import { subjectOf } from '../../session/view/telling-argument.ts'
import type { FileDiff } from '../../tool/ask.ts'
import { readFileDiffs } from './file-changes.ts'
import type { ToolOutcome } from './tool-outcome.ts'

/** The detail that a view shows below the line of a call. */
export type ToolDetail =
  | { kind: 'none' }
  | { kind: 'diff'; files: readonly FileDiff[]; isCut: boolean }
  | { kind: 'output'; lines: readonly string[] }
  | { kind: 'todos'; todos: readonly TodoItem[] }
  | { kind: 'spec'; spec: unknown }

export interface TodoItem {
  content: string
  status: string
}

/** The parts of a call as raw text, which renderers must sanitize. */
interface ToolView {
  subject: string
  facts: readonly string[]
  /**
   * The reason why the call failed; undefined if it succeeded or if its output or figures already
   * show the failure.
   */
  reason: string | undefined
  detail: ToolDetail
}

type ResultValues = Readonly<Record<string, unknown>>

/** Functions, by tool, that return the figures to show from the data of a result. */
const figures: Readonly<Record<string, (data: ResultValues) => string[]>> = {
  read: ({ start_line: first, end_line: last }) =>
    isNumber(first) && isNumber(last) ? [countNoun(last - first + 1, 'line')] : [],
  multi_read: ({ files }) => describeList(files, 'file'),
  grep: ({ matches, files }) =>
    Array.isArray(matches)
      ? [[countNoun(matches.length, 'match', 'matches'), ...describeCount(files, 'file')].join(' in ')]
      : [],
  glob: ({ total }) => describeCount(total, 'file'),
  web_fetch: ({ start_line: first, end_line: last, total_lines: all }) =>
    isNumber(first) && isNumber(last) && isNumber(all)
      ? [`${countNoun(last - first + 1, 'line')} of ${all}`]
      : [],
  web_search: ({ results }) => describeList(results, 'result'),
  finder: ({ total }) => describeCount(total, 'result'),
  lsp: ({ total }) => describeCount(total, 'result'),
  task: ({ turns }) => describeCount(turns, 'turn'),
  oracle: ({ turns }) => describeCount(turns, 'turn'),
  code_review: ({ findings }) => describeList(findings, 'finding'),
  ask_user: ({ status }) => (status === 'dismissed' ? [status] : []),
  find_thread: ({ threads }) => describeList(threads, 'thread'),
}

const isNumber = (value: unknown): value is number => typeof value === 'number'
const describeCount = (value: unknown, noun: string) => (isNumber(value) ? [countNoun(value, noun)] : [])
const describeList = (value: unknown, noun: string) =>
  Array.isArray(value) ? [countNoun(value.length, noun)] : []

export function viewOutcome(outcome: ToolOutcome): ToolView {
  const { tool, ok, data } = outcome
  const detail = detailOf(outcome)
  const subject = subjectOf(outcome) || (detail.kind === 'diff' ? namesOf(detail.files) : '')
  const facts = [...(figures[tool]?.(data) ?? []), ...endOf(data), ...factsOf(detail)]
  const isExplained = ok || detail.kind === 'output' || facts.length > 0
  return { subject, facts, reason: isExplained ? undefined : reasonOf(outcome), detail }
}

/**
 * Returns the detail in the data of any tool's result: file changes, a drawing, answers, a todo list,
 * or command output.
 */
function detailOf(outcome: ToolOutcome): ToolDetail {
  const { data, text, isCut } = outcome
  const files = readFileDiffs(outcome)
  if (files.length > 0) return { kind: 'diff', files, isCut }
  if (outcome.ok && data.render_spec !== undefined) return { kind: 'spec', spec: data.render_spec }
  if (outcome.tool === 'ask_user' && Array.isArray(data.answers) && data.answers.length > 0)
    return { kind: 'output', lines: data.answers.map(answerOf) }
  if (Array.isArray(data.todos)) return { kind: 'todos', todos: data.todos.map(todoOf) }
  if (!('exit' in data)) return { kind: 'none' }
  const lines = outputLines(text)
  return lines.length > 0 ? { kind: 'output', lines } : { kind: 'none' }
}

function todoOf(value: unknown): TodoItem {
  const { content, status } = (value ?? {}) as ResultValues
  return { content: String(content ?? ''), status: String(status ?? '') }
}

/** Returns a line with a question, by its topic if it has one, and the user's answer. */
function answerOf(value: unknown): string {
  const { topic, question, label, text } = (value ?? {}) as ResultValues
  const name = String(topic ?? question ?? '').replace(/:$/, '')
  return `${name}${name.endsWith('?') ? ' ' : ': '}${text ?? label ?? ''}`
}

/**
 * Returns the output of a command without the notes for the model and the exit code. What the sandbox has
 * refused or added stays, because it explains the output.
 */
function outputLines(text: string): string[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const sandbox: string[] = []
  for (let end = lines.at(-1); end !== undefined; end = lines.at(-1)) {
    if (end.startsWith('[sandbox: ')) sandbox.unshift(end)
    else if (!end.startsWith('note: ')) break
    lines.pop()
  }
  if (/^\[.*\]$/.test(lines.at(-1) ?? '')) lines.pop()
  while (lines.at(-1)?.trim() === '') lines.pop()
  return [...lines, ...sandbox]
}

function endOf({ exit, signal, timed_out: isLate, action, dry_run: isTrial }: ResultValues): string[] {
  if (action === 'unchanged') return [action]
  if (isTrial === true) return ['dry run']
  if (isLate === true) return ['timed out']
  if (typeof signal === 'string') return [`ended by ${signal}`]
  return isNumber(exit) && exit !== 0 ? [`exit ${exit}`] : []
}

function factsOf(detail: ToolDetail): string[] {
  if (detail.kind === 'todos') {
    const done = detail.todos.filter(({ status }) => status === 'completed').length
    return [`${done} of ${detail.todos.length} done`]
  }
  if (detail.kind !== 'diff') return []
  const sum = (key: 'added' | 'removed') => detail.files.reduce((total, file) => total + file[key], 0)
  return [`+${sum('added')} -${sum('removed')}`]
}

const namesOf = (files: readonly FileDiff[]) => files.map(({ path }) => path).join(', ')

/**
 * Returns why a call failed: the first line of the text for the model, because the next lines are advice for
 * the model. For a denied call it prefers the answer over the reason for asking, and calls the user "you".
 */
function reasonOf({ text, code }: ToolOutcome): string {
  const answer =
    code === 'denied' ? /^(?:the (?:person|user) denied it|the run was ended).*$/m.exec(text)?.[0] : undefined
  // The line of the call already shows the denied parts, so the reason omits them.
  if (answer !== undefined)
    return answer.replace(/^the (?:person|user) (denied it)(?:.*? and says(: ))?/, 'you $1$2')
  // A colon at the end of the first line is removed, because the line after it is not shown.
  const first = text.split('\n', 1)[0]?.replace(/^error [a-z_]+: |:$/g, '') ?? ''
  return first || (code ?? 'failed').replaceAll('_', ' ')
}
