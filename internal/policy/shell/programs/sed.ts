// The check for sed scripts that only print: a grammar of the commands that every sed reads alike.
import { once } from '../../../base/once.ts'

/**
 * Returns a pattern for a bracket expression that does not contain the delimiter or a lone backslash, because
 * implementations disagree about its end. A `^` at its start never is one of the characters, and a `]` there
 * never ends it.
 */
const toBracketPattern = (delimiter: string) =>
  String.raw`\[(?:\^|(?!\^))\]?(?:\[:\w+:\]|\\[.*+?()|{}$^ntsw-]|[^\]\[\\\n${delimiter}])+\]`

/**
 * Matches escapes except that of a line end, and except `\c`, `\d`, `\o` and `\x`, which
 * produce other characters.
 */
const escaped = String.raw`\\[^codx\n]`

function toRegexPattern(delimiter: string): string {
  return String.raw`(?:${escaped}|${toBracketPattern(delimiter)}|[^\\\[\n${delimiter}])*`
}

const toReplacePattern = (delimiter: string) => String.raw`(?:${escaped}|[^\\\n${delimiter}])*`

/** Returns an expression that matches one command of a script that only prints. */
function compileCommand(): RegExp {
  const address = String.raw`(?:\d+(?:~\d+)?|\$|/${toRegexPattern('/')}/I?)`
  const range = String.raw`(?:${address}(?:,(?:${address}|[+~]\d+))?[ \t]*!?[ \t]*)?`
  const end = String.raw`[ \t]*(?:;|\n|$|(?=\}))`
  const label = String.raw`[ \t]*[\w.-]*[ \t]*(?:;|\n|$)`

  const substitution = [...'/|#,:@!%~+_']
    .map((one) => {
      const d = one.replace(/[|+^]/, '\\$&')
      return String.raw`s${d}${toRegexPattern(d)}${d}${toReplacePattern(d)}${d}[gpiIm\d]*`
    })
    .join('|')

  const transliteration = String.raw`y/(?:\\[\\/n]|[^\\/\n])*/(?:\\[\\/n]|[^\\/\n])*/`

  const printing = `(?:[pPdDnNgGhHxl=]|${substitution}|${transliteration})${end}`
  return new RegExp(
    String.raw`[ \t\n;]*${range}(?:\{|\}${end}|[btT:]${label}|[qQ][ \t]*\d*${end}|${printing})`,
    'y',
  )
}

const printingCommand = once(compileCommand)

/**
 * Returns true if a sed script consists only of commands that read, change and print lines; false in doubt,
 * and for a script over 4,096 characters.
 */
export function sedPrints(script: string): boolean {
  if (script.length > 4_096) return false
  const command = printingCommand()
  let at = 0
  while (!/^[\s;]*$/.test(script.slice(at))) {
    command.lastIndex = at
    const match = command.exec(script)
    if (!match) return false
    at += match[0].length
  }
  return true
}
