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
    const found = token.exec(filter)?.[0]
    if (found === undefined) return false
    at += found.length
    if (found === '"') {
      if (!text()) return false
    } else if ('([{'.includes(found)) open.push(found)
    else if (')]}'.includes(found)) {
      const inner = open.pop()
      if (inner === '"') {
        if (found !== ')' || !text()) return false
      } else if (inner === undefined || '([{'.indexOf(inner) !== ')]}'.indexOf(found)) return false
    } else if (/^[A-Za-z_]/.test(found) && !isListed('jq names', found)) {
      // the key of an object may have any name, also that of a forbidden function: `{env: .x}`, `{name}`
      const after = /^[ \t\n]*(.|$)/s.exec(filter.slice(at))?.[1] ?? ''
      const key = open.at(-1) === '{' && /[{,][ \t\n]*$/.test(filter.slice(0, at - found.length))
      if (!key || !/^[:,}]$/.test(after)) return false
    } else if (/^\$__/.test(found)) return false
  }
  return open.length === 0
}
