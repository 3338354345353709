// A study of two files that state different dates, and of a directory that has only its own report.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { world } from '../../support/anode.ts'

it('cites both sides of a contradiction, and names a PDF report as the reason for no answer', async () => {
  const at = world()
  onTestFinished(() => at.remove())
  at.put('a.md', '# Release\n\nThe release of version 2 is planned for 12 June.\n')
  at.put('b.md', '# News\n\nThe release of version 2 is planned for 19 June.\n')
  const ask = ['study', 'When is the release of version 2?', '--model', 'builtin/extract']
  const { code, out } = await at.anode(ask)
  expect(code).toBe(0)
  const [, sides = ''] = /## Contradictions\n\n([\s\S]*?)\n## /.exec(out) ?? []
  expect(sides).toMatch(/12 June\." \[1\]\n\nagainst\n\n.*19 June\." \[2\]/)
  expect(out).not.toContain('[uncited]')
  expect((await at.anode(['study', 'report', 'last', '-o', 'r.pdf'])).code).toBe(0)
  for (const name of ['a.md', 'b.md']) rmSync(join(at.dir, name))
  const again = await at.anode(ask)
  expect(again.code).toBe(2)
  expect(again.err).toMatch(/no readable files: .*r\.pdf: a report of a study[\s\S]*read_document r\.pdf/)
})
