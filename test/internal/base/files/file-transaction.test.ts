// Transactions over several files, and what the next start makes of interrupted ones.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FailureError } from '../../../../internal/base/errors.ts'
import { commitFiles, recoverJournals } from '../../../../internal/base/files/file-transaction.ts'
import {
  draftChange,
  publishItem,
  stageItem,
  type TransactionChange,
} from '../../../../internal/base/files/transaction-file.ts'
import { fingerprint } from '../../../../internal/base/fingerprint.ts'
import { processIdentity } from '../../../../internal/base/process-identity.ts'
import { harvest, scratch, scratchWith } from '../../../support/scratch.ts'

const bytes = (text: string) => Buffer.from(text)
const print = (text: string) => fingerprint(bytes(text))
const codeFrom = async (work: Promise<unknown>) =>
  await work.then(
    () => undefined,
    (error: unknown) => (error instanceof FailureError ? error.failure.code : String(error)),
  )

function world(files: Record<string, string>) {
  return { dir: scratchWith(files), data: scratch() }
}

describe('commit', () => {
  it('writes, creates and removes several files and leaves no temporary files', async () => {
    const { dir, data } = world({ one: '1', 'sub/two': '2' })
    chmodSync(join(dir, 'one'), 0o755)
    await commitFiles(
      data,
      [
        { path: join(dir, 'one'), bytes: bytes('one'), expect: print('1') },
        { path: join(dir, 'sub/two'), bytes: null, expect: print('2') },
        { path: join(dir, 'new/deep/three'), bytes: bytes('3'), expect: null, mode: 0o700 },
      ],
      [dir],
    )
    expect(harvest(dir)).toEqual({ 'one x': 'one', 'new/deep/three x': '3' })
    expect(existsSync(join(dir, 'sub'))).toBe(false)
    expect(readdirSync(join(data, 'journal'))).toEqual([])
  })

  it('removes empty directories only below the roots, and never one that is in use', async () => {
    const { dir, data } = world({ 'a/b/f': '', 'c/f': '' })
    const remove = (path: string) => ({ path: join(dir, path), bytes: null })
    await commitFiles(data, [remove('a/b/f')], [dir, join(dir, 'a')])
    expect(readdirSync(join(dir, 'a'))).toEqual([])
    await commitFiles(data, [remove('c/f')], [])
    expect(readdirSync(join(dir, 'c'))).toEqual([])
  })

  it('replaces a directory by a file and the other way round', async () => {
    const { dir, data } = world({ 'a/x': '1', b: '2' })
    await commitFiles(data, [
      { path: join(dir, 'a'), bytes: bytes('file'), expect: null },
      { path: join(dir, 'a/x'), bytes: null },
      { path: join(dir, 'b/y'), bytes: bytes('below'), expect: null },
      { path: join(dir, 'b'), bytes: null },
    ])
    expect(harvest(dir)).toEqual({ a: 'file', 'b/y': 'below' })
  })

  it.each<[string, string, (dir: string) => TransactionChange]>([
    [
      'content that is not as expected',
      'stale_read',
      (dir) => ({ path: join(dir, 'z'), bytes: bytes('x'), expect: 'other' }),
    ],
    [
      'a file that should be new',
      'file_exists',
      (dir) => ({ path: join(dir, 'z'), bytes: bytes('x'), expect: null }),
    ],
    ['a directory in the way', 'is_directory', (dir) => ({ path: join(dir, 'full'), bytes: bytes('x') })],
    [
      'a file where a directory is needed',
      'not_a_directory',
      (dir) => ({ path: join(dir, 'z/below'), bytes: bytes('x') }),
    ],
    [
      'a directory behind a link',
      'outside_workspace',
      (dir) => ({ path: join(dir, 'link/new'), bytes: bytes('x') }),
    ],
    [
      'a name that is too long',
      'bad_args',
      (dir) => ({ path: join(dir, 'n'.repeat(300)), bytes: bytes('x') }),
    ],
  ])('changes nothing at %s', async (_, code, bad) => {
    const { dir, data } = world({ a: '1', 'sub/b': '2', z: '3', 'full/f': '4' })
    symlinkSync('full', join(dir, 'link'))
    const before = readdirSync(dir, { recursive: true }).sort()
    const good: TransactionChange[] = [
      { path: join(dir, 'a'), bytes: bytes('changed') },
      { path: join(dir, 'sub/b'), bytes: null },
      { path: join(dir, 'made/c'), bytes: bytes('made') },
    ]
    expect(await codeFrom(commitFiles(data, [...good, bad(dir)], [dir]))).toBe(code)
    expect(await codeFrom(commitFiles(data, [bad(dir), ...good], [dir]))).toBe(code)
    expect(readdirSync(dir, { recursive: true }).sort()).toEqual(before)
    expect(readFileSync(join(dir, 'a'), 'utf8')).toBe('1')
    expect(existsSync(join(data, 'journal')) ? readdirSync(join(data, 'journal')) : []).toEqual([])
  })

  it('reverts published files if a later file cannot be published', async () => {
    const { dir, data } = world({ a: '1', 'x/y': '2', 'x/stays': '' })
    // x cannot become a file: removing x/y does not empty it, which shows only when a is written already
    const failing = commitFiles(data, [
      { path: join(dir, 'x/y'), bytes: null },
      { path: join(dir, 'a'), bytes: bytes('changed'), mode: 0o700 },
      { path: join(dir, 'new/f'), bytes: bytes('made'), expect: null },
      { path: join(dir, 'x'), bytes: bytes('file'), expect: null },
    ])
    const mode = statSync(join(dir, 'a')).mode
    expect(await codeFrom(failing)).toBe('is_directory')
    expect(harvest(dir)).toEqual({ a: '1', 'x/y': '2', 'x/stays': '' })
    expect(statSync(join(dir, 'a')).mode).toBe(mode)
    expect(existsSync(join(dir, 'new'))).toBe(false)
    expect(readdirSync(join(data, 'journal'))).toEqual([])
  })

  it('writes one file without a journal, and several only with a journal', async () => {
    const { dir } = world({ a: '1', b: '2' })
    const data = join(dir, 'a')
    expect(await codeFrom(commitFiles(data, [{ path: join(dir, 'b'), bytes: bytes('new') }]))).toBeUndefined()
    const two = ['b', 'c'].map((name) => ({ path: join(dir, name), bytes: bytes('newer') }))
    expect(await codeFrom(commitFiles(data, two))).toBe('not_a_directory')
    expect(harvest(dir)).toEqual({ a: '1', b: 'new' })
  })
})

describe('recoverJournals', () => {
  const dead = ['999999999', ...processIdentity().split('-').slice(1)].join('-')
  const name = (mark: string, state: string) => `01JAAAAAAAAAAAAAAAAAAAAAAA.${mark}.${state}`

  /** A transaction cut off in `state` after `published` of its three files. */
  async function crashed(state: string, published: number, mark = dead) {
    const { dir, data } = world({ a: '1', gone: '2' })
    const changes: TransactionChange[] = [
      { path: join(dir, 'gone'), bytes: null },
      { path: join(dir, 'a'), bytes: bytes('new') },
      { path: join(dir, 'made/b'), bytes: bytes('b'), expect: null },
    ]
    const drafts = []
    for (const change of changes) drafts.push(await draftChange(change, changes))
    for (const one of drafts) await stageItem(one)
    for (const { item } of drafts.slice(0, published)) await publishItem(item)
    mkdirSync(join(data, 'journal'))
    const plan = { items: drafts.map(({ item }) => item), keep: [dir] }
    writeFileSync(join(data, 'journal', name(mark, state)), JSON.stringify(plan))
    return { dir, data }
  }

  const old = { a: '1', gone: '2' }
  const fresh = { a: 'new', 'made/b': 'b' }

  it.each([
    ['stage', 0, 'undone', old],
    ['commit', 0, 'finished', fresh],
    ['commit', 1, 'finished', fresh],
    ['commit', 2, 'finished', fresh],
    ['commit', 3, 'finished', fresh],
    ['undo', 3, 'undone', old],
    ['undo', 1, 'undone', old],
    ['undo', 0, 'undone', old],
  ])('%s after %i files is %s', async (state, published, outcome, files) => {
    const { dir, data } = await crashed(state, published)
    const [recovered] = await recoverJournals(data)
    expect(recovered).toMatchObject({ outcome, kept: [] })
    expect(harvest(dir)).toEqual(files)
    expect(existsSync(join(dir, 'made'))).toBe('made/b' in files)
    expect(readdirSync(join(data, 'journal'))).toEqual([])
    expect(await recoverJournals(data)).toEqual([])
  })

  it('keeps a file that the user changed after the crash', async () => {
    const { dir, data } = await crashed('commit', 1)
    writeFileSync(join(dir, 'a'), 'by hand')
    expect(await recoverJournals(data)).toMatchObject([{ outcome: 'finished', kept: [join(dir, 'a')] }])
    expect(harvest(dir)).toEqual({ ...fresh, a: 'by hand' })
  })

  it('does not touch the journal of a running process', async () => {
    const { dir, data } = await crashed('commit', 1, processIdentity())
    const before = harvest(dir)
    expect(await recoverJournals(data)).toEqual([])
    expect(harvest(dir)).toEqual(before)
  })

  it('recovers once if many processes start together', async () => {
    const { dir, data } = await crashed('commit', 1)
    const all = await Promise.all(Array.from({ length: 8 }, () => recoverJournals(data)))
    expect(all.flat()).toHaveLength(1)
    expect(harvest(dir)).toEqual(fresh)
  })

  it('removes an incomplete record and ignores foreign files', async () => {
    const data = scratch()
    mkdirSync(join(data, 'journal'))
    writeFileSync(join(data, 'journal', name(dead, 'stage')), '{"items":[{"pa')
    writeFileSync(join(data, 'journal', 'notes.txt'), 'mine')
    expect(await recoverJournals(data)).toEqual([])
    expect(readdirSync(join(data, 'journal'))).toEqual(['notes.txt'])
  })

  it('keeps the record of a missing workspace for some days', async () => {
    const { dir, data } = await crashed('commit', 1)
    renameSync(dir, `${dir}-away`)
    expect(await recoverJournals(data)).toMatchObject([{ outcome: 'failed' }])
    const [record] = readdirSync(join(data, 'journal')) as [string]
    const second = join(data, 'journal', record.replace(processIdentity(), dead))
    renameSync(join(data, 'journal', record), second)
    utimesSync(second, 1, Date.now() / 1000 - 30 * 86_400)
    expect(await recoverJournals(data)).toMatchObject([{ outcome: 'failed' }])
    expect(readdirSync(join(data, 'journal'))).toEqual([])
    rmSync(`${dir}-away`, { recursive: true })
  })

  it('does nothing without a journal', async () => {
    expect(await recoverJournals(join(scratch(), 'none'))).toEqual([])
  })
})
