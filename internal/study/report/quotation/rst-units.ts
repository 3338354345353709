// Paragraphs of reStructuredText as words: titles, directives and the code after them.

const codeDirective = /^\s*\.\. (?:code-block|sourcecode|code|parsed-literal)::/
const silentDirective = new RegExp(
  String.raw`^\s*\.\. (?:_[^:]+:|(?:code-block|sourcecode|code|parsed-literal|highlight|index|` +
    '(?:current)?module|contents|image|only|toctree|rst-class|include|literalinclude)::)',
)
const notice = new RegExp(
  String.raw`^\s*\.\. (note|warning|tip|important|caution|danger|attention|hint|seealso|admonition|` +
    String.raw`deprecated|versionadded|versionchanged)::\s*`,
)
const option = /^\s+:[\w-]+:/

/** Titles of notices that are not their name with a capital. */
const titles: Readonly<Record<string, string>> = {
  seealso: 'See also',
  admonition: '',
  deprecated: 'Deprecated since',
  versionadded: 'New in version',
  versionchanged: 'Changed in version',
}

/** Returns whether an indented unit is code: after `::`, after a code directive, or after such code. */
export function isRstCode(units: readonly (readonly string[])[], i: number): boolean {
  const before = units[i - 1] ?? []
  if (codeDirective.test(before[0] ?? '')) return true
  if (/^\s*\.\. /.test(before[0] ?? '')) return false
  if (/::\s*$/.test(before.at(-1) ?? '')) return true
  return i > 1 && before.every((line) => /^\s{2}/.test(line)) && isRstCode(units, i - 1)
}

/** Returns the words of a unit on one line; empty for layout directives and a title that `heading` shows. */
export function readRstDirective(lines: readonly string[], heading: string): string {
  const [line = ''] = lines
  if (silentDirective.test(line)) return ''
  const name = notice.exec(line)?.[1]
  const own = lines.filter((one, i) => i === 0 || !option.test(one))
  const words = own
    .map((one) => one.replace(notice, '').trim())
    .join(' ')
    .replace(/::$/, ':')
    .trim()
  if (name === undefined) return heading.split(' > ').includes(words) ? '' : words
  const title = titles[name] ?? `${name[0]?.toUpperCase()}${name.slice(1)}`
  return name in titles ? `${title} ${words}`.trim() : `**${title}:** ${words}`.trim()
}
