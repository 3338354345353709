// Issues of a spec with their places, in a fixed order and limited number.
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
  /**
   * Position in the spec, for example `elements.a.children[0]`; empty if the issue is about the whole spec.
   */
  path: string
  /** Id of the element. */
  element?: string
  message: string
}

/** Collector of errors, or of warnings. */
export interface IssueCollector {
  add(code: IssueCode, path: string, message: string, element?: string): void
  /** Adds an issue, unless `once` has already added one with this code for this path. */
  once(code: IssueCode, path: string, message: string, element?: string): void
  /** Returns the number of added issues, also of those that `list` leaves out. */
  count(): number
  /**
   * Returns the issues sorted by code in the order of `codes`, at most the first 100. If there are more, one
   * further issue `more_issues` contains the number of the others.
   */
  list(): SpecIssue[]
}

const maxIssues = 100

export function collectIssues(): IssueCollector {
  const issuesByCode = new Map<IssueCode, SpecIssue[]>()
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
      const list = issuesByCode.get(code) ?? []
      if (list.length === 0) issuesByCode.set(code, list)
      if (list.length >= maxIssues) return
      const issue: SpecIssue = { code, path: sanitizeText(path), message: sanitizeText(message) }
      if (element !== undefined) issue.element = element
      list.push(issue)
    },
    count: () => total,
    list() {
      const listedIssues = codes.flatMap((code) => issuesByCode.get(code) ?? []).slice(0, maxIssues)
      if (total > listedIssues.length) {
        const message = `${total - listedIssues.length} more are not listed`
        listedIssues.push({ code: 'more_issues', path: '', message })
      }
      return listedIssues
    },
  }
}

/** Returns the issue as one line for a user or a model. */
export function issueLine(kind: 'error' | 'warning', { code, path, message }: SpecIssue): string {
  return `${kind} ${code}${path ? ` at ${path}` : ''}: ${message}`
}

/** Appends a key to a path: `[0]` for an index, `.key` for a simple name, `["a b"]` for any other name. */
export function appendPathKey(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  if (/^[\w$-]+$/.test(key)) return path === '' ? key : `${path}.${key}`
  return `${path}[${quoteValue(key)}]`
}

/**
 * Returns a value of the spec for a message: JSON on one line with at most 40 characters, or words such as
 * `an empty array` for an array or object.
 */
export function quoteValue(value: unknown): string {
  if (Array.isArray(value)) return value.length > 0 ? 'an array' : 'an empty array'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'number') return String(value)
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 200) : value) ?? 'nothing'
  return text.length > 40 ? `${text.slice(0, 38)}…"` : text
}
