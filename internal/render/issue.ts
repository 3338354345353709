// The problems of a spec: what is wrong and where, in one order, and never more than anyone reads.
import { clean } from './clean.ts'

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

export type Code = (typeof codes)[number]

export interface Issue {
  code: Code
  /** Where in the spec, for example `elements.a.children[0]`; empty for the whole. */
  path: string
  /** Id of the element concerned. */
  element?: string
  message: string
}

/** Collects the issues of one kind. */
export interface Issues {
  add(code: Code, path: string, message: string, element?: string): void
  /** Like `add`, unless this code is there for this path already. */
  once(code: Code, path: string, message: string, element?: string): void
  /** How many were added. */
  count(): number
  /** The first hundred in order of their codes; if there were more, a last one, `more_issues`, says how many. */
  list(): Issue[]
}

const most = 100

export function collect(): Issues {
  const found = new Map<Code, Issue[]>()
  const said = new Set<string>()
  let total = 0
  return {
    once(code, path, message, element) {
      const key = `${code} ${path}`
      if (said.has(key)) return
      said.add(key)
      this.add(code, path, message, element)
    },
    add(code, path, message, element) {
      total++
      const list = found.get(code) ?? []
      if (list.length === 0) found.set(code, list)
      if (list.length >= most) return
      const issue: Issue = { code, path: clean(path), message: clean(message) }
      if (element !== undefined) issue.element = element
      list.push(issue)
    },
    count: () => total,
    list() {
      const shown = codes.flatMap((code) => found.get(code) ?? []).slice(0, most)
      if (total > shown.length) {
        const message = `${total - shown.length} more are not listed`
        shown.push({ code: 'more_issues', path: '', message })
      }
      return shown
    },
  }
}

/** One line for a person or a model. */
export function issueLine(kind: 'error' | 'warning', { code, path, message }: Issue): string {
  return `${kind} ${code}${path ? ` at ${path}` : ''}: ${message}`
}

/** Appends a key to a path: `.key` where that can be read back, `["key"]` elsewhere. */
export function at(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  if (/^[\w$-]+$/.test(key)) return path === '' ? key : `${path}.${key}`
  return `${path}[${quote(key)}]`
}

/** A value of the spec inside a message: as JSON on one line, at most 40 characters of it. */
export function quote(value: unknown): string {
  if (Array.isArray(value)) return value.length > 0 ? 'an array' : 'an empty array'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'number') return String(value)
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 200) : value) ?? 'nothing'
  return text.length > 40 ? `${text.slice(0, 38)}…"` : text
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
