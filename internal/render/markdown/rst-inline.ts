// Inline markup of reStructuredText and of comments in program code.
import type { InlineLink, InlineRun } from './inline-run.ts'

type InlineLook = Omit<InlineRun, 'text'>

/**
 * Patterns for the neighbors of markup: not a letter, digit, asterisk, backquote or slash directly before or
 * after it, and not a backslash or underscore before it.
 */
const before = String.raw`(?<![\p{L}\p{N}\\*\x60_/])`
const after = String.raw`(?![\p{L}\p{N}*\x60/])`

/** Patterns for the kinds of markup. Each kind has a named group, by which a match is recognized. */
const parts = [
  String.raw`${before}\x60\x60(?<literal>[^\n]*?[^\s\x60]\x60*)\x60\x60(?!\x60)`,
  String.raw`(?<![\p{L}\p{N}]):(?<role>[a-z][\w:+.-]*):\x60(?<words>[^\x60\n]+)\x60(?!\x60)`,
  String.raw`${before}\x60(?<label>[^\x60<\n]*?)\s*<(?<target>[^\x60<>\s]+)>\x60__?${after}`,
  String.raw`${before}\x60(?<named>[^\x60\n]+)\x60__?${after}`,
  String.raw`${before}\x60(?<quoted>[^\s\x60](?:[^\x60\n]*[^\s\x60])?)\x60${after}`,
  String.raw`${before}\*\*(?<bold>[^\s*](?:[^*\n]*[^\s*])?)\*\*${after}`,
  String.raw`${before}\*(?<italic>[^\s*](?:[^*\n]*[^\s*])?)\*${after}`,
  String.raw`(?<url>\bhttps?://[^\s<>"\x60\p{Cc}]*[^\s<>"\x60\p{Cc}.,;:!?)\]}'*_])`,
]
const markdownLink = String.raw`(?<!!)\[(?<text>[^\[\]\n]+)\]\((?<href>https?://[^\s()<>]+)\)`
const escapedChar = String.raw`\\(?<escaped>[^\n])`

/**
 * Returns the runs of a text. For `comment`, a backslash is an ordinary character, and links of Markdown
 * are parsed too.
 */
export function parseRstInline(text: string, markup: 'rst' | 'comment', look: InlineLook = {}): InlineRun[] {
  const patterns = markup === 'rst' ? [escapedChar, ...parts] : [markdownLink, ...parts]
  const runs: InlineRun[] = []
  let last = 0
  for (const match of text.matchAll(new RegExp(patterns.join('|'), 'gu'))) {
    runs.push({ ...look, text: text.slice(last, match.index) })
    runs.push(...readMatch(match.groups ?? {}, markup, look))
    last = match.index + match[0].length
  }
  return [...runs, { ...look, text: text.slice(last) }]
}

function readMatch(groups: Record<string, string>, markup: 'rst' | 'comment', look: InlineLook): InlineRun[] {
  const { literal, role, words = '', label, target, named, quoted, bold, italic, url, text, href } = groups
  // An escaped space only separates markup from the letters after it, so it is not shown.
  if (groups['escaped'] !== undefined) return [{ ...look, text: groups['escaped'].trim() }]
  if (literal !== undefined) return [{ ...look, text: literal, isCode: true }]
  if (role !== undefined) return [readRole(role, words, look)]
  if (target !== undefined) return [readLink(label || target, target, look)]
  if (named !== undefined) return [{ ...look, text: named }]
  if (quoted !== undefined) return [{ ...look, text: quoted, isCode: true }]
  if (bold !== undefined) return parseRstInline(bold, markup, { ...look, isBold: true })
  if (italic !== undefined) return parseRstInline(italic, markup, { ...look, isItalic: true })
  if (href !== undefined) return [readLink(text ?? href, href, look)]
  return [readLink(url as string, url as string, look)]
}

const readLink = (text: string, href: string, look: InlineLook): InlineRun => {
  const link: InlineLink = { href, isImage: false }
  return { ...look, text, link }
}

/** Roles whose text is prose. The text of other roles is code. */
const wordRoles = new RegExp(
  '^(?:std:)?(?:ref|doc|term|numref|any|abbr|download|issue|pr|user|gh|pep|rfc|title|emphasis|strong|' +
    'sub|sup|subscript|superscript)$',
)

/**
 * Returns the run of a role: `:class:`~flask.Flask`` becomes `Flask`, and `:ref:`title
 * <label>`` becomes `title`.
 */
function readRole(role: string, words: string, look: InlineLook): InlineRun {
  const title = /^(.*\S)\s*<[^<>]*>$/.exec(words)?.[1] ?? words.replace(/^!/, '')
  const text = title.startsWith('~') ? title.slice(title.lastIndexOf('.') + 1).replace(/^~/, '') : title
  if (!wordRoles.test(role)) return { ...look, text, isCode: true }
  if (role === 'pep' || role === 'rfc') return { ...look, text: `${role.toUpperCase()} ${text}` }
  return {
    ...look,
    text,
    isBold: look.isBold || role === 'strong',
    isItalic: look.isItalic || role === 'emphasis',
  }
}
