// The problems of a spec: what is wrong and where, in one order, and never more than anyone reads.
import { sanitizeText } from '../text/terminal-filter.ts'

/** Codes of errors and warnings in the order in which they are reported. */
const codes = [
  'bad_json',
  'not_object',
  'too_large',
  'too_many_elements',
  'missing_root',
  'root_not_found',
  'bad_id',
  'unknown_type',
  'missing_child',
  'duplicate_child',
  'multiple_parents',
  'cycle',
  'too_deep',
  'children_not_allowed',
  'missing_prop',
  'bad_prop',
  'unsupported_dynamic',
  'internal',
  'unknown_prop',
  'orphaned_element',
  'clamped',
  'coerced',
  'bad_color',
  'no_room',
  'wrapped',
  'truncated_rows',
  'more_issues',
] as const

export type IssueCode = (typeof codes)[number]

export interface SpecIssue {
  code: IssueCode
  /** Where in the spec, for example `elements.a.children[0]`; empty for the whole. */
  path: string
  /** Id of the element concerned. */
  element?: string
  message: string
}

/** Collects the issues of one kind. */
export interface IssueCollector {
  add(code: IssueCode, path: string, message: string, element?: string): void
  /** Like `add`, unless this code is there for this path already. */
  once(code: IssueCode, path: string, message: string, element?: string): void
  /** How many were added. */
  count(): number
  /**
   * The first hundred in order of their codes; if there were more, a last one, `more_issues`, says how many.
   */
  list(): SpecIssue[]
}

const maxIssues = 100

export function collectIssues(): IssueCollector {
  const found = new Map<IssueCode, SpecIssue[]>()
  const reported = new Set<string>()
  let total = 0
  return {
    once(code, path, message, element) {
      const key = `${code} ${path}`
      if (reported.has(key)) return
      reported.add(key)
      this.add(code, path, message, element)
    },
    add(code, path, message, element) {
      total++
      const list = found.get(code) ?? []
      if (list.length === 0) found.set(code, list)
      if (list.length >= maxIssues) return
      const issue: SpecIssue = { code, path: sanitizeText(path), message: sanitizeText(message) }
      if (element !== undefined) issue.element = element
      list.push(issue)
    },
    count: () => total,
    list() {
      const shown = codes.flatMap((code) => found.get(code) ?? []).slice(0, maxIssues)
      if (total > shown.length) {
        const message = `${total - shown.length} more are not listed`
        shown.push({ code: 'more_issues', path: '', message })
      }
      return shown
    },
  }
}

/** One line for a person or a model. */
export function issueLine(kind: 'error' | 'warning', { code, path, message }: SpecIssue): string {
  return `${kind} ${code}${path ? ` at ${path}` : ''}: ${message}`
}

/** Appends a key to a path: `.key` where that can be read back, `["key"]` elsewhere. */
export function appendPathKey(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  if (/^[\w$-]+$/.test(key)) return path === '' ? key : `${path}.${key}`
  return `${path}[${quoteValue(key)}]`
}

/** A value of the spec inside a message: as JSON on one line, at most 40 characters of it. */
export function quoteValue(value: unknown): string {
  if (Array.isArray(value)) return value.length > 0 ? 'an array' : 'an empty array'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'number') return String(value)
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 200) : value) ?? 'nothing'
  return text.length > 40 ? `${text.slice(0, 38)}…"` : text
}
