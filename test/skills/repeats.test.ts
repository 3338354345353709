// simplify/scripts/repeats.mjs finds copied runs of lines.
import { expect, test } from 'vitest'
import { runScript, scratch } from '../support/script.ts'

const run = (cwd: string, ...args: string[]) => runScript('simplify/scripts/repeats.mjs', args, cwd)
const block = (indent: string) =>
  Array.from({ length: 7 }, (_, i) => `${indent}const value${i} = compute(${i})\n`).join('')

test('the same lines at another indentation, between other code', () => {
  const dir = scratch({
    'a.ts': `import x from 'x'\nfirst()\n${block('')}last()\n`,
    'b/b.ts': `import x from 'x'\nother()\n\n// note\n${block('    ')}end()\n`,
    'c.md': block(''),
  })
  const { code, out } = run(dir, '.')
  expect(code).toBe(0)
  expect(out).toBe(
    '\n7 lines, 2 places\n  a.ts:3-9\n  b/b.ts:5-11\n  | const value0 = compute(0)\n\n2 files, 1 repeated runs of at least 6 lines\n',
  )
})

test('nothing below the least length, and a file that repeats itself', () => {
  const dir = scratch({ 'a.ts': `${block('')}between()\n${block('')}` })
  expect(run(dir, '--lines', '8').out).toBe('\n1 files, 0 repeated runs of at least 8 lines\n')
  expect(run(dir).out).toContain('7 lines, 2 places\n  a.ts:1-7\n  a.ts:9-15\n')
})

test('one line over and over does not count as runs of itself', () => {
  expect(run(scratch({ 'a.ts': 'same()\n'.repeat(100) })).out).not.toContain('places\n  a.ts:1-')
})

test('wrong use', () => {
  expect(run(scratch(), '--lines', '2').code).toBe(2)
})
