// Conversion of reStructuredText paragraphs to plain words: titles, directives, and the code after them.
import { languageOfFence } from '../../../base/code/code-language.ts'

const highlight = /^\s*\.\. highlight::/
const codeDirective = /^\s*\.\. (?:code-block|sourcecode|code|parsed-literal)::/
const silentDirective = new RegExp(
  String.raw`^\s*\.\. (?:_[^:]+:|\|[^|]+\| [\w-]+::|(?:code-block|sourcecode|code|parsed-literal|` +
    'highlight|index|(?:current)?module|contents|image|only|toctree|rst-class|include|literalinclude)::)',
)
const notice = new RegExp(
  String.raw`^\s*\.\. (note|warning|tip|important|caution|danger|attention|hint|seealso|admonition|` +
    String.raw`deprecated|versionadded|versionchanged)::\s*`,
)
const option = /^\s+:[\w-]+:/

/**
 * Titles of reStructuredText notices by directive, unless the title is the directive's name with
 * a capital letter.
 */
const titles: Readonly<Record<string, string>> = {
  seealso: 'See also',
  admonition: '',
  deprecated: 'Deprecated since',
  versionadded: 'New in version',
  versionchanged: 'Changed in version',
}

/** The code of a paragraph. `isNew` is false if it continues the code of the previous paragraph. */
export interface RstCode {
  language: string | undefined
  isNew: boolean
}

/**
 * Returns the kind of code in an indented paragraph, which follows `::`, a code directive, or such code.
 * Undefined for other paragraphs. Code after `::` has the language of the last `highlight` directive.
 */
export function readRstCode(units: readonly (readonly string[])[], i: number): RstCode | undefined {
  const before = units[i - 1] ?? []
  const [line = ''] = before
  if (codeDirective.test(line)) return { language: languageOfFence(line.replace(/^.*?::/, '')), isNew: true }
  if (/^\s*\.\. /.test(line)) return undefined
  if (/::\s*$/.test(before.at(-1) ?? '')) return { language: findHighlight(units.slice(0, i)), isNew: true }
  if (i < 2 || !before.every((one) => /^\s{2}/.test(one))) return undefined
  const outer = readRstCode(units, i - 1)
  return outer && { ...outer, isNew: false }
}

function findHighlight(units: readonly (readonly string[])[]): string | undefined {
  const lines = units.flat().filter((line) => highlight.test(line))
  return languageOfFence(lines.at(-1)?.replace(highlight, ''))
}

/**
 * Returns the words of a paragraph on one line. Empty for directives without words, such as `image` or
 * `code-block`, for link targets, and for a title that `heading` already shows.
 */
export function readRstDirective(lines: readonly string[], heading: string): string {
  const [line = ''] = lines
  if (silentDirective.test(line)) return ''
  const name = notice.exec(line)?.[1]
  const contentLines = lines.filter((one, i) => i === 0 || !option.test(one))
  const isTerm = name === undefined && isDefinition(contentLines)
  const words = contentLines
    .map((one, i) => `${one.replace(notice, '').trim()}${isTerm && i === 0 ? ':' : ''}`)
    .join(' ')
    .replace(/::$/, ':')
    .trim()
  if (name === undefined) return heading.split(' > ').includes(words) ? '' : words
  const title = titles[name] ?? `${name[0]?.toUpperCase()}${name.slice(1)}`
  return name in titles ? `${title} ${words}`.trim() : `**${title}:** ${words}`.trim()
}

/** Returns true for a term in the first line, whose definition is indented below it. */
const isDefinition = ([term = '', ...rest]: readonly string[]): boolean =>
  rest.length > 0 &&
  /^[^\s.:*+-].*[^:.]$/.test(term) &&
  !/^\w{1,3}[.)]\s/.test(term) &&
  rest.every((line) => /^\s{2}/.test(line))
