// One line of text that the user edits at its end, for the short fields of dialogs.
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { KeyPress } from '../input/key-press.ts'

const maxChars = 4_000
const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Returns the line after a key. Text is appended without control characters, up to `maxChars` in total.
 * Backspace deletes a character, Ctrl-W a word, and Ctrl-U the whole line.
 */
export function editLine(line: string, { key, text }: KeyPress): string {
  switch (key) {
    case 'backspace':
      return [...clusters.segment(line)]
        .slice(0, -1)
        .map(({ segment }) => segment)
        .join('')
    case 'ctrl-w':
      return line.replace(/\S+\s*$/, '')
    case 'ctrl-u':
      return ''
    default:
      return (line + sanitizeText(text)).slice(0, maxChars)
  }
}
