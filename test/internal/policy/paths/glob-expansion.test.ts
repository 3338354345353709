// The expansion of globs to at least the names that bash finds.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { viewDisk } from '../../../../internal/policy/paths/disk-view.ts'
import { expandGlob } from '../../../../internal/policy/paths/glob-expansion.ts'
import { choice, rng } from '../../../support/rng.ts'
import { folder, remove } from '../policies.ts'

let base = ''
let ws = ''
beforeAll(() => {
  // The parent directory is listed as well, so no other process may write there.
  base = folder('ws/.git/hooks', 'ws/keep/in', 'ws/src/deep', 'ws/.hidden', 'ws/many')
  ws = join(base, 'ws')
  for (const name of ['.env', 'a.txt', 'b.txt', 'keep/f', 'src/a.ts', 'src/.x', '-n', '[a]', 'sp ace'])
    writeFileSync(join(ws, name), '')
  for (let i = 0; i < 1_200; i++) writeFileSync(join(ws, 'many', `f${i}`), '')
})
afterAll(() => remove(base))

const plain = { anyName: false }
const expand = (word: string, options = plain) => expandGlob(word, ws, viewDisk(), options)

test('random globs include all names that bash finds', () => {
  const next = rng(11)
  const bits = [
    '*',
    '?',
    '[a-z]',
    '[!x]',
    '[[:alpha:]]',
    '.',
    'k',
    'e',
    'src',
    '/',
    '.g',
    'a',
    't',
    '..',
    'keep',
  ]
  const words = Array.from({ length: 400 }, () =>
    Array.from({ length: 1 + Math.floor(next() * 5) }, () => choice(next, bits)).join(''),
  ).filter((word) => /[*?[]/.test(word) && !word.startsWith('/'))
  const script = words.map((word) => `printf '%s\\0' ${word}; printf '\\n\\0'`).join('\n')
  const out = execFileSync('bash', ['-c', `shopt -s nullglob\n${script}`], { cwd: ws, encoding: 'utf8' })
  const found = out.split('\n\0')
  for (const [i, word] of words.entries()) {
    const ours = expand(word)
    const trim = (name: string) => name.replace(/\/+/g, '/').replace(/\/$/, '')
    const known = new Set(ours?.map(trim))
    const names = (found[i] ?? '').split('\0').filter(Boolean)
    if (ours) for (const name of names) expect(known, `${word} becomes ${name}`).toContain(trim(name))
  }
})

test('includes hidden names, the directory itself and its parent', () => {
  expect(expand('*')).not.toContain('.git')
  expect(expand('*', { anyName: true })).toContain('.git')
  expect(expand('.*')).toEqual(expect.arrayContaining(['.', '..', '.git', '.env']))
  expect(expand('K*')).toEqual([])
  expect(expand('K*', { anyName: true })).toEqual(['keep'])
})

test('returns undefined for uncertain globs', () => {
  expect(expand('many/*')).toBeUndefined()
  expect(expand('many/f1*')).toHaveLength(311)
  expect(expand('**', { anyName: true })).toBeUndefined()
  expect(expand('nowhere/*')).toEqual([])
  expect(expand('a.txt/*')).toEqual([])
  mkdirSync(join(ws, 'wide'))
  for (let i = 0; i < 250; i++) mkdirSync(join(ws, 'wide', `d${i}`))
  expect(expand('wide/*/*')).toBeUndefined()
})
