// The search for the tool that an endpoint refuses. Only a tool of another program, such as an MCP server, is
// omitted; the run then continues without it.
import { isObject, jsonOrText } from '../../base/untrusted-json.ts'
import type { ModelRequest, ToolSpec } from '../model.ts'

/** A response that refuses a request. */
interface RefusalResponse {
  status: number
  body: string
}

const declared = /\bfunction_?declarations(?:\[(\d+)\]|[./](\d+))/gi
const listed = /\b(?:tools|functions)(?:\[(\d+)\]|[./](\d+))/gi
const inHistory = /\b(?:messages|input|contents)(?:\[\d+\]|[./]\d+)/i

/**
 * Returns the tools of `sentTools` that the refusal mentions and that come from other programs. A position in
 * `sentTools`, which is in the order of the request, takes precedence over a name, and a name after
 * "function" or "tool" over other names. In a refusal about a message of the conversation, only a position
 * counts. Empty for a status other than 400 and 422.
 */
export function findRefusedTools(
  { status, body }: RefusalResponse,
  sentTools: readonly ToolSpec[],
): ToolSpec[] {
  if (status !== 400 && status !== 422) return []
  const text = collectTexts(jsonOrText(body)).join('\n')
  const places = [declared, listed].map((form) => [...text.matchAll(form)].map(([, a, b]) => Number(a ?? b)))
  const at =
    places.find((positions) => positions.length > 0)?.flatMap((place) => sentTools[place] ?? []) ?? []
  const foreign = (tools: readonly ToolSpec[]) => [...new Set(tools)].filter((tool) => tool.foreign)
  if (at.length > 0) return foreign(at)
  // The refusal is about a call in the conversation, which is sent again anyway, so omitting the tool
  // would not help.
  if (inHistory.test(text) || !/\b(?:function|tool|schema|parameter)/i.test(text)) return []
  const called = sentTools.filter(({ name }) =>
    isNamed(text, name, String.raw`\b(?:function|tool)s?(?: name)?:?\s*`),
  )
  return foreign(called.length > 0 ? called : sentTools.filter(({ name }) => isQuoted(text, name)))
}

/**
 * Returns true if `text` contains `name` after a match of `lead`, in any case of letters. A name without a
 * digit or `_` only counts after a quote mark, because it may be an ordinary word.
 */
function isNamed(text: string, name: string, lead: string): boolean {
  const quote = /[_\d]/.test(name) ? '["\'`“‘]?' : '["\'`“‘]'
  return new RegExp(`${lead}${quote}${escapeName(name)}(?![\\w-])`, 'i').test(text)
}

const isQuoted = (text: string, name: string): boolean =>
  new RegExp(`["'\`“‘]${escapeName(name)}["'\`”’]`).test(text)

const escapeName = (name: string) => name.replace(/[^\w]/g, String.raw`\$&`)

/**
 * Largest depth of nested values and JSON texts in a refusal; deeper ones are ignored. Nesting is common,
 * because routers wrap the response of a provider in another response.
 */
const maxDepth = 12

/**
 * Returns the strings in a refusal down to 12 levels, also those in JSON texts. A list of strings and
 * integers such as `["body", "tools", 3]` becomes the path `body.tools.3`.
 */
function collectTexts(value: unknown, depth = 0): string[] {
  if (depth > maxDepth) return []
  if (typeof value === 'string') {
    const inner = /^\s*[[{]/.test(value) ? jsonOrText(value) : value
    return typeof inner === 'string' ? [value] : collectTexts(inner, depth + 1)
  }
  if (Array.isArray(value)) {
    const isPath = value.every((one) => typeof one === 'string' || Number.isInteger(one))
    return isPath ? [value.join('.')] : value.flatMap((one) => collectTexts(one, depth + 1))
  }
  return isObject(value) ? Object.values(value).flatMap((one) => collectTexts(one, depth + 1)) : []
}

const refused = new Map<string, Set<string>>()

/** The refused tools of one model at one endpoint, shared by all agents of the process. */
export interface RefusedTools {
  /**
   * Returns the request without those refused tools that other programs provide. The same list of tools gives
   * the same list object, until another tool is refused.
   */
  leaveOut(request: ModelRequest): ModelRequest
  add(tools: readonly ToolSpec[]): void
}

/**
 * Returns a text that identifies a tool by name and schema, so that a tool whose schema has changed
 * is sent again.
 */
const identifyTool = ({ name, schema }: ToolSpec) => `${name} ${JSON.stringify(schema)}`

export function refusedToolsOf(endpoint: string): RefusedTools {
  const refusedIds = refused.get(endpoint) ?? new Set<string>()
  refused.set(endpoint, refusedIds)
  const remaining = new WeakMap<readonly ToolSpec[], { count: number; rest: readonly ToolSpec[] }>()
  return {
    leaveOut(request) {
      if (refusedIds.size === 0) return request
      const before = remaining.get(request.tools)
      if (before?.count === refusedIds.size) return { ...request, tools: before.rest }
      const tools = request.tools.filter((tool) => !tool.foreign || !refusedIds.has(identifyTool(tool)))
      const rest = tools.length === request.tools.length ? request.tools : tools
      remaining.set(request.tools, { count: refusedIds.size, rest })
      return { ...request, tools: rest }
    },
    add(tools) {
      for (const tool of tools) refusedIds.add(identifyTool(tool))
    },
  }
}
