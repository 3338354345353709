// What the files of an untrusted workspace would do, and their texts, on a page over the question about them.
import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import type { TrustFileView } from '../../session/client.ts'
import type { SourceLine } from '../terminal/rows.ts'

/** Everything in it is text of others: nothing of it is drawn as it stands. */
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
