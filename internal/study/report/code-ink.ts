// Colors of code on white paper, for formats without themes.
import type { CodeKind, CodeRun } from '../../base/code/code-runs.ts'

/** Colors as `#rrggbb`, whose contrast to white is at least 4.5 to 1. */
export const codeInks: Readonly<Record<CodeKind, string>> = {
  keyword: '#6f42c1',
  string: '#116329',
  number: '#7d4e00',
  comment: '#5f5f6b',
  type: '#0b6a71',
  name: '#0550ae',
  property: '#0b6a71',
  meta: '#5f5f6b',
  added: '#116329',
  removed: '#b31d28',
}

/** Returns each line of a text as one piece without a color; an empty line has no piece. */
export const plainLines = (text: string): CodeRun[][] =>
  text.split('\n').map((line) => (line === '' ? [] : [{ text: line, kind: undefined }]))
