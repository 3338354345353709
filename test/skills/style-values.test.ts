// ui_consistency_review/scripts/style-values.mjs counts design values.
import { expect, test } from 'vitest'
import { runScript, scratch } from '../support/script.ts'

test('counts by kind, most frequent first, with an example place', () => {
  const dir = scratch({
    'a.css':
      '.a { color: #1E90FF; font-size: 12px; padding: 4px 8px }\n.b { color: #1e90ff; border-radius: 3px }\n',
    'b.tsx': "const s = { color: '#1e90fe', fontSize: '13px', zIndex: 10, boxShadow: 'none' }\n",
    'c.scss': '@media (min-width: 600px) { .c { transition: all .2s ease; gap: 8px } }\n',
    'x.min.css': '.x{color:#000000}',
    'node_modules/y.css': '.y{color:#111111}',
    'a.test.tsx': "color: '#222222'",
  })
  const { code, out } = runScript('ui_consistency_review/scripts/style-values.mjs', ['.'], dir)
  expect(code).toBe(0)
  expect(out).toContain('3 files')
  expect(out).toContain('## colours: 2 different\n    2  #1e90ff  (a.css:1)\n    1  #1e90fe  (b.tsx:1)')
  for (const part of [
    '## font sizes: 2',
    '12px',
    '13px',
    '4px 8px',
    '8px',
    '3px',
    '10',
    'none',
    '.2s',
    '600px',
  ]) {
    expect(out).toContain(part)
  }
  expect(out).not.toMatch(/#000000|#111111|#222222/)
})

test('a folder without styles', () => {
  const { code, out } = runScript(
    'ui_consistency_review/scripts/style-values.mjs',
    [],
    scratch({ 'a.txt': '#fff' }),
  )
  expect({ code, out }).toEqual({ code: 0, out: '0 files\n' })
})
