// Citations of a report: the claims of each number, and text that the page leaves out.
import { expect, it } from 'vitest'
import { readCitedClaims, tidyReport } from '../../../../internal/page/text/citation.ts'

const report = `# What?

## Answer

It locks [1] [1], [2].

## Findings

None.

## Sources

1. [\`a.md:1-2\`](<file:///a.md#L1>), text, 71 bytes
   - [\`a.md:1\`](<file:///a.md#L1>) C1.1, verified: "… C9.9, locks …"
   - [\`a.md:2\`](<file:///a.md#L2>) C2.1, verified: "…"
2. [\`b.md:1\`](<file:///b.md#L1>), text
   - [\`b.md:1\`](<file:///b.md#L1>) C1.2, not found: "…"
10. [\`c.md\`](<file:///c.md>), text

## Skipped

1. [\`d.md\`](<file:///d.md>) C7.7, verified
`

it('reads the claims of each source', () => {
  expect([...readCitedClaims(report)]).toEqual([
    [1, ['C1.1', 'C2.1']],
    [2, ['C1.2']],
    [10, []],
  ])
  for (const text of ['', '## Sources\n', 'no sections [1]']) expect(readCitedClaims(text).size).toBe(0)
})

it('leaves out the title, empty sections and repeated citations', () => {
  const text = tidyReport(report)
  expect(text).toMatch(/^## Answer\n\nIt locks \[1\], \[2\]\.\n\n## Sources/)
  expect(tidyReport('Text.\n\nNone.\n')).toBe('Text.\n\nNone.\n')
})
