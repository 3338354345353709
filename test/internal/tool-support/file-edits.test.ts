// Loading what is to be changed, and writing it.
import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checksum } from '../../../internal/base/checksum.ts'
import { fingerprint } from '../../../internal/base/fingerprint.ts'
import {
  decodeLoadedFile,
  loadFile,
  refuseUnwritable,
  saveChanges,
} from '../../../internal/tool-support/file-edits.ts'
import { locatePath } from '../../../internal/tool-support/path-location.ts'
import { ctxIn } from '../../support/ctx.ts'
import { refusalOf } from '../../support/refusal.ts'
import { harvest, scratch, scratchWith } from '../../support/scratch.ts'

it('loads bytes, mode and whether they are still what was read', async () => {
  const dir = scratchWith({ f: '\uFEFFx' })
  chmodSync(join(dir, 'f'), 0o600)
  const ctx = ctxIn(dir, scratch())
  const place = locatePath(ctx, 'f', 'write')
  const file = await loadFile(ctx, place)
  expect(file).toMatchObject({ mode: 0o600, size: 4, stale: false })
  if (file) expect(await decodeLoadedFile(file, place)).toMatchObject({ text: 'x', bom: true })
  expect(await loadFile(ctx, locatePath(ctx, 'none', 'write'))).toBeNull()
  ctx.seen?.set(place.real, 'something else')
  expect((await loadFile(ctx, place))?.stale).toBe(true)
})

it('saves all changes or none, and rejects a cancelled call', async () => {
  const dir = scratchWith({ a: '1', b: '2' })
  const data = scratch()
  const ctx = ctxIn(dir, data)
  const change = (name: string, text: string | null, expect: string) => ({
    path: join(dir, name),
    bytes: text === null ? null : Buffer.from(text),
    expect: fingerprint(Buffer.from(expect)),
  })
  await saveChanges(ctx, [change('a', 'x', '1'), change('b', null, '2')])
  expect(harvest(dir)).toEqual({ a: 'x' })
  expect([...(ctx.seen ?? [])]).toEqual([[join(dir, 'a'), checksum(Buffer.from('x'))]])
  expect(readdirSync(join(data, 'journal'))).toEqual([])
  writeFileSync(join(dir, 'a'), 'theirs')
  expect((await refusalOf(() => saveChanges(ctx, [change('a', 'y', 'x')])))?.code).toBe('stale_read')
  await expect(
    saveChanges({ ...ctx, signal: AbortSignal.abort() }, [change('a', 'y', 'theirs')]),
  ).rejects.toThrow()
  expect(harvest(dir)).toEqual({ a: 'theirs' })
})

it('rejects texts that cannot be read back', async () => {
  expect((await refusalOf(() => refuseUnwritable('a\0', 'it')))?.code).toBe('binary_or_encoding')
  expect(await refusalOf(() => refuseUnwritable('fine', 'it'))).toBeUndefined()
})
