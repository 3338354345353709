// sed scripts that only print; what the grammar accepts does nothing else in the sed of this machine.
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sedPrints } from '../../../../../internal/policy/shell/programs/sed.ts'
import { choice, rng } from '../../../../support/rng.ts'
import { rounds } from '../../../../support/sample.ts'
import { folder, remove } from '../../policies.ts'

test.each([
  ...[
    'p',
    '1p',
    '1,5p',
    '$p',
    '/a/p',
    '/a/,/b/d',
    '1!d',
    '5q',
    's/a/b/',
    's/a/b/g',
    's|a|b|gi;2d',
    's#a\\#b#c#',
  ],
  ...[
    '/a\\/b/p',
    '=',
    '1p;2p',
    's/a/&\\n/2',
    'p\nd',
    '1,+3p',
    '0~2p',
    '/a/I,$p',
    '{p;d}',
    '/a/{s/x/y/;p}',
    'y/abc/xyz/',
  ],
  ...[
    ':a;N;$!ba;s/\\n/ /g',
    's/[a-z]*/x/',
    's/[[:space:]]*$//',
    's/[^ab]/x/',
    's/^[ \\t]*//',
    '$!N;P;D',
    's/\\[x\\]/y/',
  ],
])('%j prints', (script) => expect(sedPrints(script)).toBe(true))

test.each([
  ...[
    'e',
    '1e',
    'w x',
    '1w x',
    'W x',
    'r x',
    'R x',
    's/a/b/e',
    's/a/b/w x',
    's/a/b/ge',
    's/a/b/pw x',
    'a\\x',
    'i x',
    'c x',
  ],
  ...[
    's/a/b/;e',
    '1p;w x',
    's/a/b',
    'p\ne',
    '{w x\n}',
    '/a/{e\n}',
    's/[/p;s/]/e touch x #/p',
    's/[/]/;s/w x/p',
    '/[/p;s/]/e x #/p',
    '/[^]/n;s/]/p;e x #/p',
    '/[]/n;s/]/p;e x #/p',
    's/[^]/x/;s/]/p;e x #/',
  ],
  ...[
    's/[^/]*/x/',
    's/[\\]/x/w y/',
    's/a\\/b/w x',
    'y/[/]/w x/',
    's/\\c[/]/w x/',
    '\\,a,w x',
    'F',
    'p;#x\ne',
    'v',
    's/a/b\\\nw x/',
  ],
  ...['b a}w x', 'q;e', 'l 1e', '1,2,3p', 's/x/y/m;e', 's\nx\ny\ne', 's x y e', 'sexexe', 'p}e'],
])('%j may do more', (script) => expect(sedPrints(script)).toBe(false))

const pieces = [
  ...[
    's',
    '/',
    '/',
    '/',
    '[',
    ']',
    '[^',
    '\\',
    '\\/',
    'p',
    'd',
    ';',
    '\n',
    '{',
    '}',
    'e ',
    'w ',
    'r ',
    'touch EVIL',
    'EVIL',
    'a',
  ],
  ...[
    '|',
    ',',
    '#',
    '1',
    '$',
    '!',
    '[[:alpha:]]',
    '\\]',
    '\\[',
    'y',
    'b',
    ':x',
    'q',
    '&',
    'g',
    'I',
    'M',
    ' ',
    '*',
    '\\n',
    '.',
    '(',
    '\\(',
  ],
]

/** Returns a text that often looks like a script. */
function script(next: () => number): string {
  const some = (maxMs: number) =>
    Array.from({ length: 1 + Math.floor(next() * maxMs) }, () => choice(next, pieces)).join('')
  return choice(next, [
    () => some(8),
    () => `s/${some(3)}/${some(3)}/${choice(next, ['', 'g', 'p', 'w EVIL', 'e'])}`,
    () => `/${some(3)}/${choice(next, ['p', 'd', 'e touch EVIL', 'w EVIL'])}`,
    () => `s/${some(2)};s/${some(2)}/e touch EVIL #/p`,
    () => `/${some(2)};s/${some(2)}/w EVIL\n/p`,
    () => `y/${some(2)}/${some(2)}/;${some(3)}`,
  ])()
}

const seds = ['sed', 'busybox'].filter((name) => spawnSync(name, ['--help']).error === undefined)

test.each(seds)('what is accepted writes and runs nothing in %s', (name) => {
  const dir = folder()
  writeFileSync(join(dir, 'f'), 'e touch EVIL\nabc [x] /y/\n[/p;s/]\n')
  const next = rng(Number(process.env.SEED ?? 7))
  let accepted = 0
  for (let i = 0; i < 20_000 && accepted < rounds(160, 400); i++) {
    const one = script(next)
    if (!sedPrints(one)) continue
    accepted++
    const words = name === 'busybox' ? ['sed', one, 'f'] : [one, 'f']
    spawnSync(name, words, { cwd: dir, timeout: 2_000, stdio: 'ignore' })
    expect(readdirSync(dir), JSON.stringify(one)).toEqual(['f'])
  }
  expect(accepted).toBeGreaterThan(100)
  // and the comparison can fail: a script that is not accepted does write
  execFileSync(name, [...(name === 'busybox' ? ['sed'] : []), 'w EVIL', 'f'], { cwd: dir, stdio: 'ignore' })
  expect(readdirSync(dir)).toContain('EVIL')
  remove(dir)
})
