// Lines of files in search results, shown only if `read` of the file would be allowed.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mayShowFile, openLineReader } from '../../../internal/tool-support/line-reader.ts'
import { ctxIn } from '../../support/ctx.ts'
import { scratch, scratchWith } from '../../support/scratch.ts'

const files = {
  'a.ts': '  first\r\nsecond\n',
  'wide.ts': `${'x'.repeat(500)}\n`,
  '.env': 'TOKEN=1\n',
  'private/b.ts': 'hidden\n',
  'binary.bin': '\0\0',
}

it('shows the lines that read would show, and nothing else', async () => {
  const dir = scratchWith(files)
  const outside = scratchWith({ 'c.ts': 'outside\n' })
  symlinkSync(join(outside, 'c.ts'), join(dir, 'link.ts'))
  const plain = ctxIn(dir, scratch())
  const rules = [{ tool: 'read', action: 'deny', path: 'private/**' }] as const
  const ctx = { ...plain, policy: { ...plain.policy, rules } }
  const eyes = openLineReader(ctx)
  expect(await eyes.line(join(dir, 'a.ts'), 0)).toBe('first')
  expect(await eyes.line(join(dir, 'a.ts'), 1)).toBe('second')
  expect(await eyes.line(join(dir, 'a.ts'), 9)).toBe(undefined)
  expect((await eyes.line(join(dir, 'wide.ts'), 0))?.length).toBe(201)
  for (const name of ['.env', 'private/b.ts', 'link.ts', 'binary.bin', 'gone.ts', '.']) {
    expect([name, await eyes.lines(join(dir, name))]).toEqual([name, undefined])
  }
  expect(await eyes.lines(join(outside, 'c.ts'))).toBe(undefined)
  expect(await eyes.lines('untitled:one')).toBe(undefined)
  expect(await mayShowFile(join(dir, 'a.ts'), ctx)).toBe(true)
  expect(await mayShowFile(join(dir, '.env'), ctx)).toBe(false)
})
