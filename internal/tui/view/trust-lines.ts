// The effects and texts of an untrusted workspace's files, as lines for review.
import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import type { TrustFileView } from '../../session/client.ts'
import type { SourceLine } from '../terminal/rows.ts'

/** Returns the lines of a file. All text in it is foreign, so it is escaped. */
export function listTrustFileLines({ path, effects, text }: TrustFileView): SourceLine[] {
  const shown = text === undefined ? [] : text.replace(/\n$/, '').split('\n')
  return [
    { text: escapeInvisible(path), style: { bold: true }, foreign: true },
    ...effects.map((effect) => ({ text: escapeInvisible(effect), foreign: true, wraps: true, lead: '  ' })),
    ...shown.map((line) => ({
      text: escapeInvisible(line, { tab: '  ' }),
      style: { dim: true },
      foreign: true,
      lead: '    ',
    })),
    { text: '' },
  ]
}
