// Finds calls that a model writes into its answer instead of making them.
import type { MalformedArgs, ToolSpec } from '../model.ts'
import { offeredName } from '../strict/tool-names.ts'

interface WrittenCall {
  name: string
  malformed: MalformedArgs
}

/** Forms of chat templates whose server does not read them, each at the start of a line. */
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
 * Returns the calls in `text` in order. Outside of code, a call of one of `tools` counts anywhere, one of an
 * unknown tool only at the end of the text.
 */
export function findWrittenCalls(text: string, tools: readonly ToolSpec[]): WrittenCall[] {
  if (!/<(?:tool_|function|invoke)|TOOL/.test(text)) return []
  const found: { at: number; raw: string }[] = []
  let rest = text.replace(/^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1[ \t]*$|$(?![\s\S]))/gm, blank)
  for (const form of forms) {
    for (const match of rest.matchAll(form)) found.push({ at: match.index, raw: match[0] })
    rest = rest.replace(form, blank)
  }
  const isOffered = (name: string) => tools.some((tool) => tool.name === name)
  return found
    .sort((a, b) => a.at - b.at)
    .map(({ at, raw }) => ({ at, raw: raw.trim(), name: offeredName(tools, nameIn(raw)) }))
    .filter(({ at, name, raw }) => isOffered(name) || isLast(rest, at + raw.length))
    .slice(0, maxCalls)
    .map(({ name, raw }) => ({ name, malformed: { raw: raw.slice(0, maxRawChars), error, position: -1 } }))
}

const blank = (block: string) => block.replace(/[^\n]/g, ' ')

const isLast = (rest: string, from: number) =>
  rest
    .slice(from)
    .replace(/<\/?[\w:]+>/g, '')
    .trim() === ''

function nameIn(raw: string): string {
  const json = /"(?:name|tool|function)"\s*:\s*"([^"\n]{1,200})"/.exec(raw)?.[1]
  return /<function=([^>\n]*)>/.exec(raw)?.[1] ?? /<invoke name="([^"\n]*)"/.exec(raw)?.[1] ?? json ?? ''
}
