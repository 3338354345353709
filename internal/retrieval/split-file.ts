// Splitter of a file's lines into passages by the kind of the file. Only this file knows every kind.
import { documentKindOf } from '../document/document-kind.ts'
import { withoutTemplate } from './file-kind.ts'
import { maxPassageChars, type PassageKind, type TextPassage } from './passage.ts'
import { type LineBlock, packBlocks } from './split/blocks.ts'
import { maxCodeChars, maxUnitChars, splitCode } from './split/code.ts'
import { splitConfig } from './split/config.ts'
import { splitProse } from './split/prose.ts'

/** Returns the lines of a text without line ends and without a byte order mark. */
export function linesOfText(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r?\n/)
}

/** Maximum length of a line whose form is parsed. Programs write longer lines. */
const maxFormChars = 4_000

/**
 * Maximum size of a passage in characters, by kind. Each setting and each definition has its own subject, so
 * fewer of them share a passage.
 */
const room: Readonly<Record<PassageKind, number>> = {
  prose: maxPassageChars,
  config: 1_000,
  code: maxCodeChars,
  data: maxPassageChars,
}

/**
 * Returns the passages in the order of their lines. Every line that is not blank is in exactly one passage.
 */
export function splitFile(lines: readonly string[], path: string, kind: PassageKind): TextPassage[] {
  const hasLong = lines.some(({ length }) => length > maxFormChars)
  const seen = hasLong ? lines.map((line) => (line.length > maxFormChars ? 'x' : line)) : lines
  return packBlocks(
    lines,
    blocksOf(seen, withoutTemplate(path), kind),
    room[kind],
    kind === 'code' ? maxUnitChars : room[kind],
  )
}

function blocksOf(lines: readonly string[], path: string, kind: PassageKind): LineBlock[] {
  switch (kind) {
    case 'prose':
      // the text of a document marks its headings as Markdown does
      return splitProse(lines, documentKindOf(path) ? `${path}.md` : path)
    case 'config':
      return splitConfig(lines)
    case 'code':
      return splitCode(lines, path)
    case 'data':
      return lines.flatMap((line, i) =>
        line.trim() === '' ? [] : [{ from: i, to: i, heading: '', symbol: '' }],
      )
  }
}
