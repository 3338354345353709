// Single files: old or new, with mode and links as promised.
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FailureError } from '../../../../internal/base/errors.ts'
import {
  readFileState,
  sweepTemps,
  tempName,
  writeAtomic,
} from '../../../../internal/base/files/atomic-write.ts'
import { fingerprint } from '../../../../internal/base/fingerprint.ts'
import { processIdentity } from '../../../../internal/base/process-identity.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

const bytes = (text: string) => Buffer.from(text)
const codeFrom = async (work: Promise<unknown>) =>
  await work.then(
    () => undefined,
    (error: unknown) => (error instanceof FailureError ? error.failure.code : String(error)),
  )

describe('writeAtomic', () => {
  it('creates and replaces files, and keeps the mode', async () => {
    const dir = scratchWith({ old: 'before' })
    chmodSync(join(dir, 'old'), 0o751)
    await writeAtomic(join(dir, 'old'), bytes('after'))
    await writeAtomic(join(dir, 'new'), bytes('fresh'))
    await writeAtomic(join(dir, 'private'), bytes('x'), { mode: 0o600 })
    expect(readFileSync(join(dir, 'old'), 'utf8')).toBe('after')
    expect(statSync(join(dir, 'old')).mode & 0o7777).toBe(0o751)
    expect(statSync(join(dir, 'new')).mode & 0o7777).toBe(0o666 & ~process.umask())
    expect(statSync(join(dir, 'private')).mode & 0o7777).toBe(0o600)
    expect(readdirSync(dir).sort()).toEqual(['new', 'old', 'private'])
  })

  it('breaks a hard link and follows a symbolic one', async () => {
    const dir = scratchWith({ target: 'before', twin: '' })
    linkSync(join(dir, 'target'), join(dir, 'other-name'))
    symlinkSync('target', join(dir, 'link'))
    await writeAtomic(join(dir, 'link'), bytes('after'))
    expect(readFileSync(join(dir, 'target'), 'utf8')).toBe('after')
    expect(readFileSync(join(dir, 'other-name'), 'utf8')).toBe('before')
    expect(readFileSync(join(dir, 'link'), 'utf8')).toBe('after')
  })

  it('overwrites only the expected contents, and leaves nothing behind otherwise', async () => {
    const dir = scratchWith({ f: 'seen' })
    const expected = fingerprint(bytes('seen'))
    await writeAtomic(join(dir, 'f'), bytes('mine'), { expect: expected })
    expect(await codeFrom(writeAtomic(join(dir, 'f'), bytes('x'), { expect: expected }))).toBe('stale_read')
    expect(await codeFrom(writeAtomic(join(dir, 'f'), bytes('x'), { expect: null }))).toBe('file_exists')
    expect(await codeFrom(writeAtomic(join(dir, 'none'), bytes('x'), { expect: expected }))).toBe(
      'stale_read',
    )
    expect(await codeFrom(writeAtomic(join(dir, 'no/dir'), bytes('x')))).toBe('not_found')
    mkdirSync(join(dir, 'folder'))
    expect(await codeFrom(writeAtomic(join(dir, 'folder'), bytes('x')))).toBe('is_directory')
    expect(readFileSync(join(dir, 'f'), 'utf8')).toBe('mine')
    expect(readdirSync(dir).sort()).toEqual(['f', 'folder'])
  })

  it('lets exactly one of many writers make a file', async () => {
    const dir = scratch()
    const tries = Array.from({ length: 20 }, (_, i) =>
      codeFrom(writeAtomic(join(dir, 'f'), bytes(`${i}`), { expect: null })),
    )
    const codes = await Promise.all(tries)
    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    expect(codes.filter((code) => code === 'file_exists')).toHaveLength(19)
    expect(readFileSync(join(dir, 'f'), 'utf8')).toBe(String(codes.indexOf(undefined)))
    expect(readdirSync(dir)).toEqual(['f'])
  })
})

describe('look', () => {
  it('distinguishes content and mode, and a missing file from an empty one', async () => {
    const dir = scratchWith({ f: 'x' })
    expect(await readFileState(join(dir, 'f'))).toMatchObject({
      print: fingerprint(bytes('x')),
      uid: process.getuid?.(),
    })
    expect(await readFileState(join(dir, 'none'))).toBeNull()
    expect(await readFileState(join(dir, 'f', 'below'))).toBeNull()
    expect(await codeFrom(readFileState(dir))).toBe('is_directory')
  })
})

describe('sweepTemps', () => {
  it('removes temporary files of ended processes only', async () => {
    const dir = scratch()
    const [, ...rest] = processIdentity().split('-')
    const mine = tempName()
    const dead = `.anode-${['999999999', ...rest].join('-')}-7.tmp`
    for (const name of [mine, dead, 'notes.tmp', '.anode-x.tmp']) writeFileSync(join(dir, name), '')
    expect(await sweepTemps(dir)).toBe(1)
    writeFileSync(join(dir, dead), '')
    await writeAtomic(join(dir, 'notes.tmp'), bytes('new'))
    expect(readdirSync(dir).sort()).toEqual([mine, '.anode-x.tmp', 'notes.tmp'].sort())
  })
})
