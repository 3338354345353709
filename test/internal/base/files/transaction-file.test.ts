// The steps of a transaction, each iterateAnew and each reversible.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  draftChange,
  publishItem,
  restoreItem,
  stageItem,
  type TransactionChange,
  tidyItem,
} from '../../../../internal/base/files/transaction-file.ts'
import { harvest, scratch, scratchWith } from '../../../support/scratch.ts'

const bytes = (text: string) => Buffer.from(text)

async function staged(changes: TransactionChange[]) {
  const drafts = []
  for (const change of changes) drafts.push(await draftChange(change, changes))
  for (const one of drafts) await stageItem(one)
  return drafts.map(({ item }) => item)
}

const changesIn = (dir: string): TransactionChange[] => [
  { path: join(dir, 'gone'), bytes: null },
  { path: join(dir, 'kept'), bytes: bytes('new') },
  { path: join(dir, 'a/b/made'), bytes: bytes('made'), expect: null },
]

it('staging changes no file, and every step can be repeated', async () => {
  const before = { gone: 'g', kept: 'k' }
  const dir = scratchWith(before)
  const items = await staged(changesIn(dir))
  expect(harvest(dir)).toMatchObject(before)
  expect(existsSync(join(dir, 'a'))).toBe(false)
  for (let round = 0; round < 2; round++) {
    for (const item of items) expect(await publishItem(item)).toBe(true)
    expect(readFileSync(join(dir, 'kept'), 'utf8')).toBe('new')
  }
  for (let round = 0; round < 2; round++) for (const item of items) await tidyItem(item, false)
  expect(harvest(dir)).toEqual({ kept: 'new', 'a/b/made': 'made' })
})

it('reverts from every step', async () => {
  for (let published = 0; published <= 3; published++) {
    const before = { gone: 'g', kept: 'k' }
    const dir = scratchWith(before)
    const items = await staged(changesIn(dir))
    for (const item of items.slice(0, published)) await publishItem(item)
    for (const item of [...items].reverse()) expect(await restoreItem(item)).toBe(true)
    for (const item of [...items].reverse()) expect(await restoreItem(item)).toBe(true)
    for (const item of items) await tidyItem(item, true)
    expect(harvest(dir)).toEqual(before)
    expect(existsSync(join(dir, 'a'))).toBe(false)
  }
})

it('does not change a file that another process has changed', async () => {
  const dir = scratchWith({ gone: 'g', kept: 'k' })
  const items = await staged(changesIn(dir))
  for (const name of ['gone', 'kept', 'a/b/made']) {
    mkdirSync(join(dir, 'a/b'), { recursive: true })
    writeFileSync(join(dir, name), 'theirs')
  }
  for (const item of items) expect(await publishItem(item)).toBe(false)
  for (const item of items) expect(await restoreItem(item)).toBe(false)
  for (const item of items) await tidyItem(item, true)
  expect(harvest(dir)).toEqual({ gone: 'theirs', kept: 'theirs', 'a/b/made': 'theirs' })
})

it('accepts a change only if the existing file is the expected one', async () => {
  const dir = scratch()
  mkdirSync(join(dir, 'folder'))
  const plan = (change: TransactionChange) =>
    draftChange(change, [change]).then(
      () => 'planned',
      (error) => error.failure?.code,
    )
  expect(await plan({ path: join(dir, 'folder'), bytes: bytes('') })).toBe('is_directory')
  expect(await plan({ path: join(dir, 'none'), bytes: null, expect: 'x' })).toBe('stale_read')
  expect(await plan({ path: join(dir, 'none'), bytes: bytes(''), expect: null })).toBe('planned')
})
