// docs_writer/scripts/check-links.mjs finds links that lead nowhere, and only those.
import { expect, test } from 'vitest'
import { runScript, scratch } from '../support/script.ts'

const run = (cwd: string, ...args: string[]) => runScript('docs_writer/scripts/check-links.mjs', args, cwd)

test('good links', () => {
  const dir = scratch({
    'a.md': [
      '# One two',
      '[b](b.md) [part](sub/c.md#häuser--co) [self](#one-two) [again](#one-two-1) [web](https://example.org/x)',
      '[mail](mailto:a@example.org) [space](my%20file.txt) ![pic](<pic.png> "Title") [ref]',
      '`[code](missing.md)`',
      '```md\n[code](missing.md)\n```',
      '## One *two*',
      '<a id="mark"></a> [mark](#mark)',
      '[ref]: b.md',
    ].join('\n'),
    'b.md': 'b',
    'sub/c.md': '# Häuser & Co.',
    'my file.txt': '',
    'pic.png': '',
  })
  expect(run(dir, 'a.md')).toMatchObject({ code: 0, out: '10 links in 1 files, 0 broken\n' })
})

test('broken ones, with their lines', () => {
  const dir = scratch({ 'a.md': 'x\n[b](none.md)\n[c](#none) [d](a.md#none)\n[e](bad%zz)\n[f]: gone.md\n' })
  const { code, out } = run(dir, 'a.md')
  expect(code).toBe(1)
  expect(out.split('\n').slice(0, -1)).toEqual([
    'a.md:2: no such file: none.md',
    'a.md:3: no such heading: #none',
    'a.md:3: no such heading: a.md#none',
    'a.md:4: not a valid address: bad%zz',
    'a.md:5: no such file: gone.md',
    '5 links in 1 files, 5 broken',
  ])
})

test('wrong use', () => {
  expect(run(scratch()).code).toBe(2)
  expect(run(scratch(), 'none.md')).toMatchObject({ code: 2, err: 'none.md: ENOENT\n' })
})

test('the links of the built-in skills', () => {
  const { out } = runScript(
    'docs_writer/scripts/check-links.mjs',
    ['skills/docs_writer/SKILL.md'],
    process.cwd(),
  )
  expect(out).toContain(' 0 broken')
})
