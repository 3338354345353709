// Globs as the shell would replace them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expand } from '../../../../internal/policy/shell/expand.ts'
import { folder, remove } from '../policies.ts'

let dir = ''
beforeAll(() => {
  dir = folder('sub')
  for (const name of ['a.ts', 'b.ts', '.env', 'sub/c.ts', '-rf']) writeFileSync(join(dir, name), '')
})
afterAll(() => remove(dir))

test.each([
  ['*.ts', ['a.ts', 'b.ts']],
  ['?.ts', ['a.ts', 'b.ts']],
  ['.*', ['.env']],
  ['sub/*', ['sub/c.ts']],
  ['none*', []],
  ['*', undefined],
  ['*/c.ts', undefined],
  ['[ab].ts', undefined],
  ['nowhere/*', undefined],
])('%j', (word, expected) => expect(expand(word, dir)?.sort()).toEqual(expected))
