// The check for jq filters that only read their input: every function and keyword is on a list.

import { isListed } from './program-table.ts'

const token = new RegExp(
  [
    String.raw`[ \t\n]+|\.\.|\.[A-Za-z_]\w*|\$[a-z_]\w*|@(?:base64d?|base32d?|csv|tsv|json|html|`,
    String.raw`uri|sh|text)\b|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|\?\/\/|\/\/=?|\|=|[-+*`,
    String.raw`/%!=<>]=|[.,:;|?()[\]{}=<>+\-*/%"]`,
  ].join(''),
  'y',
)
const string = /(?:[^"\\]|\\["\\/bfnrt]|\\u[\dA-Fa-f]{4})*/y

/**
 * Returns true if the filter certainly uses nothing but its input; false in doubt, and for a filter
 * over 4,096 characters.
 */
export function jqReads(filter: string): boolean {
  if (filter.length > 4_096) return false
  // Kinds of the brackets that are open, and of strings that continue after an interpolation.
  const open: string[] = []
  let at = 0
  const text = (): boolean => {
    string.lastIndex = at
    at += string.exec(filter)?.[0].length ?? 0
    if (filter[at] === '"') {
      at++
      return true
    }
    if (!filter.startsWith('\\(', at)) return false
    open.push('"')
    at += 2
    return true
  }
  while (at < filter.length) {
    token.lastIndex = at
    const tokenText = token.exec(filter)?.[0]
    if (tokenText === undefined) return false
    at += tokenText.length
    if (tokenText === '"') {
      if (!text()) return false
    } else if ('([{'.includes(tokenText)) open.push(tokenText)
    else if (')]}'.includes(tokenText)) {
      const inner = open.pop()
      if (inner === '"') {
        if (tokenText !== ')' || !text()) return false
      } else if (inner === undefined || '([{'.indexOf(inner) !== ')]}'.indexOf(tokenText)) return false
    } else if (/^[A-Za-z_]/.test(tokenText) && !isListed('jq names', tokenText)) {
      // the key of an object may have any name, also that of a forbidden function: `{env: .x}`, `{name}`
      const after = /^[ \t\n]*(.|$)/s.exec(filter.slice(at))?.[1] ?? ''
      const key = open.at(-1) === '{' && /[{,][ \t\n]*$/.test(filter.slice(0, at - tokenText.length))
      if (!key || !/^[:,}]$/.test(after)) return false
    } else if (/^\$__/.test(tokenText)) return false
  }
  return open.length === 0
}
