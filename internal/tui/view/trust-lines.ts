// The effects and texts of the files in an untrusted workspace, as lines that the user reviews.
import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import type { TrustFileView } from '../../session/client.ts'
import type { SourceLine } from '../terminal/rows.ts'

/** Returns lines about a file. The text of the file is untrusted, so invisible characters are escaped. */
export function listTrustFileLines({ path, effects, text }: TrustFileView): SourceLine[] {
  const textLines = text === undefined ? [] : text.replace(/\n$/, '').split('\n')
  return [
    { text: escapeInvisible(path), style: { bold: true }, foreign: true },
    ...effects.map((effect) => ({ text: escapeInvisible(effect), foreign: true, lead: '  ' })),
    ...textLines.map((line) => ({
      text: escapeInvisible(line, { tab: '  ' }),
      style: { dim: true },
      foreign: true,
      lead: '    ',
    })),
    { text: '' },
  ]
}
