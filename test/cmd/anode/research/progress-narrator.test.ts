// The line about a measurement that updates on a terminal.
import { expect, it } from 'vitest'
import { openNarrator } from '../../../../cmd/anode/research/progress-narrator.ts'
import type { CommandIo } from '../../../../cmd/anode/verb.ts'
import type { ResearchProgress } from '../../../../internal/research/progress.ts'

function drawEvent(event: ResearchProgress): string {
  let output = ''
  const stderr = {
    isTTY: true,
    columns: 80,
    draw: (text: string) => (output += text),
    write: () => undefined,
  }
  openNarrator({}, { stderr } as unknown as CommandIo).tell(event)
  return output.replace('\r\u001b[2K', '')
}

it.each<[ResearchProgress, string]>([
  [{ kind: 'phase', phase: 'baseline' }, 'baseline …'],
  [{ kind: 'phase', phase: 'checks', run: 3 }, 'run 3: checks …'],
  [{ kind: 'pair', phase: 'pairs', n: 3, of: 8, base: 1, cand: 2 }, 'pairs: pair 3 of 8'],
  [{ kind: 'look', pairs: 8, median_pct: 1, p: 0.5, next: 16 }, 'undecided after 8 pairs, next look at 16'],
  [{ kind: 'look', pairs: 8, median_pct: -9, p: 0, next: 0 }, 'no more pairs needed after 8 pairs'],
  [{ kind: 'checks', result: 'ok' }, 'checks ok'],
  [{ kind: 'waiting', pid: 7 }, ''],
])('draws %j', (event, text) => {
  expect(drawEvent(event)).toBe(text)
})
