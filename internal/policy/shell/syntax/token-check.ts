// The check whether the shell splits a line into the same tokens as the grammar, because the grammar also
// accepts lines that the shell reads differently.

import type { SyntaxNode } from './syntax-tree.ts'
import { wordKinds } from './word-reader.ts'

/** A token or a whole word of the line, with its position. */
interface TokenUnit {
  start: number
  end: number
  /** `word` includes keywords and braces, which need spaces around them as words do. */
  kind: 'word' | 'operator' | 'comment' | 'body'
  text: string
  /**
   * Id of the outermost tree node, such as a simple command or a redirection, that contains the token; -1
   * without one. A line end cannot separate two tokens of one such node.
   */
  owner: number
  /** True for a number that the grammar reads as the file descriptor of the next redirection. */
  descriptor: boolean
}

/** Operators of the shell. The shell reads the longest one that matches. */
const operators: ReadonlySet<string> = new Set([
  ...[
    '&',
    '&&',
    '|',
    '||',
    '|&',
    ';',
    ';;',
    ';&',
    ';;&',
    '(',
    ')',
    '((',
    '<',
    '<<',
    '<<-',
    '<<<',
    '<&',
    '<>',
    '<(',
  ],
  ...['>', '>>', '>&', '>|', '>(', '&>', '&>>', '<&-', '>&-', '$(', '`', '='],
])

const owners: ReadonlySet<string> = new Set([
  ...['command', 'declaration_command', 'unset_command', 'file_redirect', 'test_command'],
])

/** Kinds of tree nodes between whose children the shell accepts comments. */
const commentParents: ReadonlySet<string> = new Set([
  ...['program', 'list', 'pipeline', 'negated_command', 'subshell', 'do_group', 'function_definition'],
  ...['if_statement', 'elif_clause', 'else_clause', 'while_statement', 'for_statement'],
  ...['case_statement', 'case_item', 'redirected_statement', 'heredoc_redirect'],
  ...['command_substitution', 'process_substitution'],
])

/** Returns why the tokens below `root` may differ from the shell's; undefined if they are the same. */
export function findMisreading(root: SyntaxNode, source: string): string | undefined {
  const extra = root.parent ? undefined : findExtra(root)
  if (extra) return extra
  const units = flattenTree(root)
  let before: TokenUnit | undefined
  for (const unit of units) {
    const why = before && checkNeighbors(before, unit, source)
    if (why) return why
    before = unit
  }
  const first = units[0]
  const edges = first && before && root.type === 'program'
  if (edges && !(isBlank(source.slice(0, first.start)) && isBlank(source.slice(before?.end))))
    return 'stray characters'
  return checkHeredocs(units, source)
}

/**
 * Returns a description of a comment inside a word or a gap inside an assignment; undefined without one.
 * The grammar allows both between any two tokens, but the shell would run the text that the grammar reads
 * as a comment.
 */
function findExtra(root: SyntaxNode): string | undefined {
  const todo = [root]
  for (let node = todo.pop(); node; node = todo.pop()) {
    if (node.type === 'comment' && node.parent && !takesComments(node.parent)) return 'a # inside of a word'
    if (node.type === 'variable_assignment' && hasGap(node)) return 'an assignment has a gap'
    todo.push(...node.children)
  }
  return undefined
}

const takesComments = (node: SyntaxNode) =>
  commentParents.has(node.type) || (node.type === 'compound_statement' && node.children[0]?.type === '{')

const hasGap = ({ children }: SyntaxNode) =>
  children.some((child, i) => i > 0 && child.startIndex !== children[i - 1]?.endIndex)

const isBlank = (text: string) => /^[ \t\n]*$/.test(text.replaceAll('\\\n', ' '))

function flattenTree(root: SyntaxNode): TokenUnit[] {
  const out: TokenUnit[] = []
  const todo: { node: SyntaxNode; owner: number }[] = [{ node: root, owner: -1 }]
  for (let top = todo.pop(); top; top = todo.pop()) {
    const { node } = top
    const unit = (kind: TokenUnit['kind']) =>
      out.push({
        start: node.startIndex,
        end: node.endIndex,
        kind,
        text: node.text,
        owner: top.owner,
        descriptor: node.type === 'file_descriptor',
      })
    if (node !== root && (wordKinds.has(node.type) || node.type === 'variable_assignment')) unit('word')
    else if (node.type === 'comment') unit('comment')
    else if (node.type === 'heredoc_body') unit('body')
    else if (node.childCount === 0) unit(operators.has(node.type) ? 'operator' : 'word')
    else {
      const owner =
        owners.has(node.type) && top.owner < 0 ? node.id : node.type === 'heredoc_redirect' ? -1 : top.owner
      for (const child of node.children.toReversed())
        todo.push({ node: child, owner: isStatement(node) ? -1 : owner })
    }
  }
  return out
}

const isStatement = (node: SyntaxNode) =>
  /^(?:program|list|pipeline|subshell|compound_statement|do_group)$/.test(node.type)

/**
 * Returns why the shell may read two neighboring tokens differently than the grammar; undefined if
 * it does not.
 */
function checkNeighbors(left: TokenUnit, right: TokenUnit, source: string): string | undefined {
  const gap = source.slice(left.end, right.start)
  if (!isBlank(gap)) return `the characters ${JSON.stringify(gap.trim())}`
  if (left.kind === 'body' || right.kind === 'body') return undefined
  const joined = gap.replaceAll('\\\n', '') === ''
  if (gap !== '' && joined) return 'a word or operator that continues in the next line'
  if (left.owner >= 0 && left.owner === right.owner && gap.replaceAll('\\\n', '').includes('\n'))
    return 'a line end'
  const redirects = joined && /^\d+$/.test(left.text) && /^[<>]/.test(right.text)
  if (left.kind === 'word' && left.descriptor !== redirects) return 'a number before a redirection'
  if (!joined) return undefined
  if (/\{[^{]*\}$/.test(left.text) && /^[<>]/.test(right.text)) return 'a redirection that sets a variable'
  if (right.kind === 'comment')
    return left.kind === 'operator' && left.text !== '=' ? undefined : 'a # inside of a word'
  if (left.kind === 'word' && right.kind === 'word')
    return `${left.text} and ${right.text} without a blank between`
  if (left.kind === 'operator' && right.kind === 'operator') {
    const more = left.text + right.text[0]
    return [...operators].some((other) => other !== left.text && other.startsWith(more))
      ? `${left.text}${right.text}`
      : undefined
  }
  return undefined
}

/**
 * Returns why the grammar may end a here-document at another position than the shell, also if the check does
 * not support its form. Undefined if both end it at the same one. For the shell, only whole lines end one.
 */
function checkHeredocs(units: readonly TokenUnit[], source: string): string | undefined {
  for (const [i, unit] of units.entries()) {
    if (unit.kind !== 'operator' || !/^<<-?$/.test(unit.text)) continue
    const start = units[i + 1]
    const body = units.findIndex((other, j) => j > i && other.kind === 'body')
    const end = units[body + 1]
    if (!start || body < 0 || !end) return 'a here-document without end'
    const name = /^(?:([\w.-]+)|'([\w.-]+)'|"([\w.-]+)")$/.exec(start.text)
    const word = name?.[1] ?? name?.[2] ?? name?.[3]
    const line = source.indexOf('\n', start.end)
    const rest = units.slice(i + 2, body)
    if (word === undefined || line < 0) return 'the name of a here-document'
    if (rest.some((other) => other.end > line || /^<<-?$/.test(other.text)))
      return 'two here-documents at once'
    if (source.slice(start.end, line).includes('\\')) return 'a here-document in a continued line'
    const at = endOf(source, line + 1, word, unit.text === '<<-')
    if (at !== end.start || end.text !== word) return 'the end of a here-document'
    if (name?.[1] !== undefined && /\\\n/.test(source.slice(line, at)))
      return 'a here-document with joined lines'
  }
  return undefined
}

/**
 * Returns the position of the delimiter that ends the here-document whose body begins at `from`; -1 if
 * it is missing.
 */
function endOf(source: string, from: number, word: string, tabs: boolean): number {
  for (let at = from; at < source.length; ) {
    const next = source.indexOf('\n', at)
    const line = source.slice(at, next < 0 ? source.length : next)
    const text = tabs ? line.replace(/^\t+/, '') : line
    if (text === word) return at + line.length - text.length
    if (next < 0) return -1
    at = next + 1
  }
  return -1
}
