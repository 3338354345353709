// Search for tool calls that a model writes into its answer as text instead of making them.
import { isObject } from '../../base/untrusted-json.ts'
import type { MalformedArgs, ToolSpec } from '../model.ts'
import { offeredName } from '../strict/tool-names.ts'

interface WrittenCall {
  name: string
  malformed: MalformedArgs
}

/** Match the call formats of chat templates that the server does not parse, each at the start of a line. */
const forms = [
  /^[ \t]*<(tool_call|function_call|tool_use)>[\s\S]*?(?:<\/\1>|$(?![\s\S]))/gm,
  /^[ \t]*<function=[^>\n]*>[\s\S]*?(?:<\/function>|$(?![\s\S]))/gm,
  /^[ \t]*<invoke name="[^"\n]*">[\s\S]*?(?:<\/invoke>|$(?![\s\S]))/gm,
  /^[ \t]*\[TOOL_CALLS\].*$/gm,
  /^ {0,3}TOOL:[ \t]*\{.*$/gm,
]

const maxRawChars = 2000
const maxCalls = 16

const error =
  'the call was written as text and was not run; make it through the tool interface, not in your answer'

/**
 * Returns the first 16 calls in `text`, in order. Outside of code, a call of one of `tools` counts
 * anywhere, one of an unknown tool only at the end of the text. A text that is nothing but JSON calls of
 * `tools` counts too.
 */
export function findWrittenCalls(text: string, tools: readonly ToolSpec[]): WrittenCall[] {
  const bare = findBareCalls(text, tools)
  if (bare.length > 0) return bare
  if (!/<(?:tool_|function|invoke)|TOOL/.test(text)) return []
  const matches: { at: number; raw: string }[] = []
  let rest = text.replace(/^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1[ \t]*$|$(?![\s\S]))/gm, blankBlock)
  for (const form of forms) {
    for (const match of rest.matchAll(form)) matches.push({ at: match.index, raw: match[0] })
    rest = rest.replace(form, blankBlock)
  }
  const isOffered = (name: string) => tools.some((tool) => tool.name === name)
  return matches
    .sort((a, b) => a.at - b.at)
    .map(({ at, raw }) => ({ at, raw: raw.trim(), name: offeredName(tools, nameIn(raw)) }))
    .filter(({ at, name, raw }) => isOffered(name) || isLast(rest, at + raw.length))
    .slice(0, maxCalls)
    .map(({ name, raw }) => ({ name, malformed: { raw: raw.slice(0, maxRawChars), error, position: -1 } }))
}

const fenced = /^(```|~~~)[ \t]*\w*[ \t]*\n([\s\S]*)\n\1$/

/**
 * Returns the first 16 calls of a text that is one JSON value, also in a code block: `{"name", "arguments"}`,
 * or a list. Empty if any value is not a call of one of `tools`.
 */
function findBareCalls(text: string, tools: readonly ToolSpec[]): WrittenCall[] {
  const raw = text.trim()
  const json = fenced.exec(raw)?.[2]?.trim() ?? raw
  if (!/^[[{][\s\S]*[\]}]$/.test(json) || !/"(?:name|tool)"/.test(json)) return []
  const values = parseList(json)
  const names = values.map((value) => offeredName(tools, bareName(value) ?? ''))
  if (!names.every((name) => tools.some((tool) => tool.name === name))) return []
  return names.slice(0, maxCalls).map((name, i) => ({
    name,
    malformed: { raw: JSON.stringify(values[i]).slice(0, maxRawChars), error, position: -1 },
  }))
}

function parseList(json: string): unknown[] {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value : [value]
  } catch {
    return []
  }
}

const callKeys = new Set([...['name', 'tool', 'type', 'id'], ...['arguments', 'args', 'parameters', 'input']])

/**
 * Returns the tool name in an object that has only a name and arguments, and possibly type and id, or that
 * has such an object as `function`; otherwise undefined.
 */
function bareName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { function: inner, ...call } = value as Readonly<Record<string, unknown>>
  if (typeof inner === 'object') return bareName(inner)
  const { name = call.tool, arguments: args = call.args ?? call.parameters ?? call.input } = call
  const isCall = Object.keys(call).every((key) => callKeys.has(key)) && (isObject(args) || isJson(args))
  return isCall && typeof name === 'string' ? name : undefined
}

const isJson = (value: unknown) => typeof value === 'string' && value.trim().startsWith('{')

const blankBlock = (block: string) => block.replace(/[^\n]/g, ' ')

const isLast = (rest: string, from: number) =>
  rest
    .slice(from)
    .replace(/<\/?[\w:]+>/g, '')
    .trim() === ''

function nameIn(raw: string): string {
  const json = /"(?:name|tool|function)"\s*:\s*"([^"\n]{1,200})"/.exec(raw)?.[1]
  return /<function=([^>\n]*)>/.exec(raw)?.[1] ?? /<invoke name="([^"\n]*)"/.exec(raw)?.[1] ?? json ?? ''
}
