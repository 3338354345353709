// The words for the judgment of an experiment, as every screen and report shows them.
import { expect, it } from 'vitest'
import { describeJudgment } from '../../../../internal/base/text/judgment-text.ts'

it.each([
  [{ gate: 'paired', segment: 0 }, 'repeated pairs of runs'],
  [{ gate: 'plain', segment: 0 }, 'one sample of each run'],
  [{ gate: 'paired', segment: 1 }, 'repeated pairs of runs, 1 reset'],
  [
    { gate: 'plain', segment: 2, stopped: true },
    'one sample of each run, 2 resets, stopped at the run limit',
  ],
])('describes %o as "%s"', (one, words) => {
  expect(describeJudgment(one)).toBe(words)
  expect(words).not.toMatch(/gate|segment|max_runs/)
})
