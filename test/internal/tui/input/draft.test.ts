// Drafts in their files: kept a second after a key, readable by nobody else, gone when they are sent.
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openDraftFile, readOtherDrafts } from '../../../../internal/tui/input/draft.ts'
import { scratch } from '../../../support/scratch.ts'

test('what was written is there for the next one, in a file of mode 0600', async () => {
  const dir = scratch()
  const draft = openDraftFile(dir, '01JD', '/shop')
  draft.change('half a sen')
  draft.change('half a sentence')
  await draft.flush()
  expect(openDraftFile(dir, '01JD', '/shop').load()).toBe('half a sentence')
  expect(openDraftFile(dir, '01JE', '/shop').load()).toBe('')
  expect(statSync(join(dir, 'drafts', readdirSync(join(dir, 'drafts'))[0] ?? '')).mode & 0o777).toBe(0o600)
  expect(statSync(join(dir, 'drafts')).mode & 0o777).toBe(0o700)
})

test('it is found from another directory, and what others left in the same one, the newest last', async () => {
  const dir = scratch()
  for (const [thread, cwd] of [
    ['a', '/shop'],
    ['b', '/shop'],
    ['c', '/other'],
  ] as const) {
    const draft = openDraftFile(dir, thread, cwd)
    draft.change(`of ${thread}`)
    await draft.flush()
  }
  const [first = ''] = readdirSync(join(dir, 'drafts')).filter((name) => name.startsWith('a.'))
  utimesSync(join(dir, 'drafts', first), 1, 1)
  expect(openDraftFile(dir, 'a', '/elsewhere').load()).toBe('of a')
  expect(readOtherDrafts(dir, 'new', '/shop')).toEqual(['of a', 'of b'])
  expect(readOtherDrafts(dir, 'b', '/shop')).toEqual(['of a'])
  expect(readOtherDrafts(dir, 'new', '/nowhere')).toEqual([])
})

test('an emptied draft leaves no file', async () => {
  const dir = scratch()
  const draft = openDraftFile(dir, 't', '/shop')
  draft.change('x')
  await draft.flush()
  draft.change(' ')
  await draft.flush()
  expect(readdirSync(join(dir, 'drafts'))).toEqual([])
})

test('it is written a second after the last key, not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const dir = scratch()
    const draft = openDraftFile(dir, 't', '/shop')
    draft.change('a')
    vi.advanceTimersByTime(900)
    draft.change('ab')
    vi.advanceTimersByTime(900)
    expect(existsSync(join(dir, 'drafts'))).toBe(false)
    vi.advanceTimersByTime(100)
    await draft.flush()
    expect(draft.load()).toBe('ab')
  } finally {
    vi.useRealTimers()
  }
})

test('no name of a thread leads out of the folder, and a folder that cannot be made ends nothing', async () => {
  const dir = scratch()
  const draft = openDraftFile(dir, '../../evil', '/shop')
  draft.change('x')
  await draft.flush()
  expect(readdirSync(join(dir, 'drafts'))).toHaveLength(1)
  const file = join(dir, 'file')
  writeFileSync(file, '')
  const broken = openDraftFile(file, 't', '/shop')
  broken.change('x')
  await broken.flush()
  expect(broken.load()).toBe('')
})

test('what is not written yet is kept at once where the program ends by itself', async () => {
  const before = new Set(process.listeners('exit'))
  const added = () => process.listeners('exit').filter((one) => !before.has(one))
  const dir = scratch()
  const draft = openDraftFile(dir, 't', '/shop')
  expect(added()).toEqual([])
  draft.change('half a sentence')
  for (const listener of added()) listener(70)
  expect(openDraftFile(dir, 't', '/shop').load()).toBe('half a sentence')
  const [name = ''] = readdirSync(join(dir, 'drafts'))
  expect(statSync(join(dir, 'drafts', name)).mode & 0o777).toBe(0o600)
  await draft.flush()
  expect(added()).toEqual([])
})
