// The check for awk programs that only compute and print to standard output. A program with a token or a name
// that the check does not accept fails it.

import { isListed } from './program-table.ts'

const token = new RegExp(
  [
    String.raw`[ \t\n]+|"(?:[^"\\\n]|\\[^\n])*"|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+|[A-Za-z_]\w*|`,
    String.raw`\+\+|--|&&|\|\||[-+*%^!<>=~]=|!~|[-+*/%^!<=>~?:,;(){}[\]$]`,
  ].join(''),
  'y',
)
const regex = /\/(?:\\[^\n]|\[(?:\^|(?!\^))\]?[^\][\\/\n"]+\]|[^\\[\]/\n])+\//y

/**
 * The kind of the previous token, which decides whether a slash divides or begins a regular expression. A
 * slash after `unclear` is refused, because the implementations of awk may differ.
 */
type TokenKind = 'operator' | 'operand' | 'unclear'

/**
 * Returns true if the program certainly only computes and prints to standard output; false in doubt, and for
 * a program over 4,096 characters.
 */
export function awkPrints(program: string): boolean {
  if (program.length > 4_096) return false
  let before: TokenKind = 'operator'
  let printing = false
  let calling = false
  // a slash after `)` divides; in a program with if, while or for, the bracket may close a condition, so the
  // slash is refused
  const closed: TokenKind = /\b(?:if|while|for)\b/.test(program) ? 'unclear' : 'operand'
  for (let at = 0; at < program.length; ) {
    if (program[at] === '/') {
      if (before === 'unclear') return false
      regex.lastIndex = at
      const regexText: string | undefined = before === 'operator' ? regex.exec(program)?.[0] : undefined
      if (before === 'operator' && regexText === undefined) return false
      at += regexText?.length ?? 1
      before = regexText ? 'unclear' : 'operator'
      calling = false
      continue
    }
    token.lastIndex = at
    const text: string | undefined = token.exec(program)?.[0]
    if (text === undefined) return false
    at += text.length
    if (/^[ \t]/.test(text) && !text.includes('\n')) continue
    if (calling && text === '(') return false
    calling = false
    if (/^[A-Za-z_]/.test(text)) {
      const kind = wordKind(text)
      if (kind === undefined) return false
      if (/^printf?$/.test(text)) printing = true
      before = kind === 'keyword' ? 'operator' : kind === 'function' ? 'unclear' : 'operand'
      calling = kind === 'variable'
      continue
    }
    // A line end does not end a `print`, because a statement may continue on the next line.
    if (/^[;{}]$/.test(text)) printing = false
    // after print, `>` writes to a file
    if (printing && text === '>') return false
    before = tokenKindOf(text, closed)
  }
  return true
}

function tokenKindOf(text: string, closed: TokenKind): TokenKind {
  if (text === ')') return closed
  if (/^["\d.]|^\]$/.test(text)) return 'operand'
  return /^(?:\+\+|--|\$)$/.test(text) ? 'unclear' : 'operator'
}

function wordKind(text: string): 'keyword' | 'function' | 'variable' | undefined {
  if (isListed('awk keywords', text)) return 'keyword'
  if (isListed('awk functions', text)) return 'function'
  if (isListed('awk variables', text)) return 'variable'
  return /^[a-z_]/.test(text) && !isListed('awk reserved', text) ? 'variable' : undefined
}
