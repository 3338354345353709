// Drafts in their files: stored a second after a key, private, and deleted when they are sent.
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { listDrafts, openDraftFile, readOtherDrafts } from '../../../../internal/tui/input/draft.ts'
import { scratch } from '../../../support/scratch.ts'

test('loads the text in the next process, from a file of mode 0600', async () => {
  const dir = scratch()
  const draft = openDraftFile(dir, '01JD', { cwd: '/shop' })
  draft.change('half a sen')
  draft.change('half a sentence')
  await draft.flush()
  expect(openDraftFile(dir, '01JD', { cwd: '/shop' }).load()).toBe('half a sentence')
  expect(openDraftFile(dir, '01JE', { cwd: '/shop' }).load()).toBe('')
  expect(statSync(join(dir, 'drafts', readdirSync(join(dir, 'drafts'))[0] ?? '')).mode & 0o777).toBe(0o600)
  expect(statSync(join(dir, 'drafts')).mode & 0o777).toBe(0o700)
})

test('loads the draft from another directory, and other drafts of the same directory, newest last', async () => {
  const dir = scratch()
  for (const [thread, cwd] of [
    ['a', '/shop'],
    ['b', '/shop'],
    ['c', '/other'],
  ] as const) {
    const draft = openDraftFile(dir, thread, { cwd })
    draft.change(`of ${thread}`)
    await draft.flush()
  }
  const [first = ''] = readdirSync(join(dir, 'drafts')).filter((name) => name.startsWith('a.'))
  utimesSync(join(dir, 'drafts', first), 1, 1)
  expect(openDraftFile(dir, 'a', { cwd: '/elsewhere' }).load()).toBe('of a')
  expect(readOtherDrafts(dir, 'new', '/shop')).toEqual(['of a', 'of b'])
  expect(readOtherDrafts(dir, 'b', '/shop')).toEqual(['of a'])
  expect(readOtherDrafts(dir, 'new', '/nowhere')).toEqual([])
  expect(listDrafts(dir, '/shop').map(({ thread }) => thread)).toEqual(['a', 'b'])
  expect(listDrafts(dir, '/nowhere')).toEqual([])
})

test('an emptied draft leaves no file', async () => {
  const dir = scratch()
  const draft = openDraftFile(dir, 't', { cwd: '/shop' })
  draft.change('x')
  await draft.flush()
  draft.change(' ')
  await draft.flush()
  expect(readdirSync(join(dir, 'drafts'))).toEqual([])
})

test('writes a second after the first unsaved key, also while the user keeps typing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const dir = scratch()
    const draft = openDraftFile(dir, 't', { cwd: '/shop' })
    draft.change('a')
    vi.advanceTimersByTime(900)
    draft.change('ab')
    expect(existsSync(join(dir, 'drafts'))).toBe(false)
    vi.advanceTimersByTime(100)
    await vi.waitFor(() => expect(openDraftFile(dir, 't', { cwd: '/shop' }).load()).toBe('ab'))
  } finally {
    vi.useRealTimers()
  }
})

test('no thread name leads out of the directory, and a directory that cannot be created stops nothing', async () => {
  const dir = scratch()
  const draft = openDraftFile(dir, '../../evil', { cwd: '/shop' })
  draft.change('x')
  await draft.flush()
  expect(readdirSync(join(dir, 'drafts'))).toHaveLength(1)
  const file = join(dir, 'file')
  writeFileSync(file, '')
  const broken = openDraftFile(file, 't', { cwd: '/shop' })
  broken.change('x')
  await broken.flush()
  expect(broken.load()).toBe('')
})

test('reports an unwritable directory once, and tries again', async () => {
  const dir = scratch()
  const folder = join(dir, 'drafts')
  writeFileSync(folder, '')
  let told = 0
  const draft = openDraftFile(dir, 't', { cwd: '/shop', failed: () => told++ })
  draft.change('first')
  await draft.flush()
  await draft.flush()
  expect(told).toBe(1)
  rmSync(folder)
  await draft.flush()
  expect(openDraftFile(dir, 't', { cwd: '/shop' }).load()).toBe('first')
})

test('restores a text of several megabytes', async () => {
  const dir = scratch()
  const draft = openDraftFile(dir, 't', { cwd: '/shop' })
  draft.change('long '.repeat(600_000))
  await draft.flush()
  expect(openDraftFile(dir, 't', { cwd: '/shop' }).load()).toHaveLength(3_000_000)
})

test('writes unsaved text at once when the program ends by itself', async () => {
  const before = new Set(process.listeners('exit'))
  const added = () => process.listeners('exit').filter((one) => !before.has(one))
  const dir = scratch()
  const draft = openDraftFile(dir, 't', { cwd: '/shop' })
  expect(added()).toEqual([])
  draft.change('half a sentence')
  for (const listener of added()) listener(70)
  expect(openDraftFile(dir, 't', { cwd: '/shop' }).load()).toBe('half a sentence')
  const [name = ''] = readdirSync(join(dir, 'drafts'))
  expect(statSync(join(dir, 'drafts', name)).mode & 0o777).toBe(0o600)
  await draft.flush()
  expect(added()).toEqual([])
})
