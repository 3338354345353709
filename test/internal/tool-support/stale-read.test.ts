// Noticing that a file is another one than was read.
import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isStaleRead, rememberRead } from '../../../internal/tool-support/stale-read.ts'
import { ctxIn } from '../../support/ctx.ts'
import { scratch, scratchWith } from '../../support/scratch.ts'
import { untilOld } from '../../support/waiting.ts'

function session(text: string) {
  const dir = scratchWith({ f: text })
  const path = join(dir, 'f')
  const seen = new Map<string, string>()
  const ctx = { ...ctxIn(dir, scratch()), seen }
  const stat = () => statSync(path, { bigint: true })
  const stale = (now: string) => isStaleRead(ctx, path, { stat: stat(), bytes: Buffer.from(now) })
  return { path, seen, stat, stale }
}

it('compares the content if the whole file was read', () => {
  const { path, seen, stat, stale } = session('one')
  expect(stale('one')).toBe(false)
  rememberRead(seen, path, { stat: stat(), whole: Buffer.from('one') })
  utimesSync(path, 1, 1)
  expect(stale('one')).toBe(false)
  expect(stale('two')).toBe(true)
})

it('compares inode, size and times if only a part of the file was read', async () => {
  const { path, seen, stat, stale } = session('one')
  await untilOld(80, path)
  rememberRead(seen, path, { stat: stat(), whole: undefined })
  expect(stale('one')).toBe(false)
  writeFileSync(path, 'two')
  utimesSync(path, stat().atime, stat().mtime)
  expect(stale('one')).toBe(true)
})

it('does not trust times that are too young to tell two writes apart', () => {
  const { path, seen, stat, stale } = session('one')
  writeFileSync(path, 'now')
  rememberRead(seen, path, { stat: stat(), whole: undefined })
  expect(stale('now')).toBe(true)
})
