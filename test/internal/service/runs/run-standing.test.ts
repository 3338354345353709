// The status file of a run: its contents, the number of writes, and files that another process has left.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  describeStanding,
  keepStandingFile,
  readStandingFile,
} from '../../../../internal/service/runs/run-standing.ts'
import { emptyView } from '../../../../internal/session/view/session-view.ts'
import { scratch } from '../../../support/scratch.ts'

const standing = describeStanding(emptyView('sess_0000000000'))

it('contains the latest of many changes after few writes, readable for its owner alone', async () => {
  const path = join(scratch(), 'one.state')
  let tokens = 0
  const file = keepStandingFile(path, 'me', () => ({ ...standing, tokens }))
  const seen = new Set<number>()
  for (; tokens < 200; tokens++) {
    file.update()
    await new Promise((resolve) => setTimeout(resolve, 2))
    if (existsSync(path)) seen.add(statSync(path).ino)
  }
  await expect.poll(() => readStandingFile(path, 'me')).toEqual({ ...standing, tokens: 200 })
  expect(seen.size).toBeLessThan(10)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readStandingFile(path, 'another')).toBeUndefined()
  await file.close()
  expect(existsSync(path)).toBe(false)
  file.update()
  const other = keepStandingFile(`${path}2`, 'me', () => ({ ...standing, tokens }))
  other.update()
  await expect.poll(() => existsSync(`${path}2`)).toBe(true)
  await other.close()
  expect(existsSync(path)).toBe(false)
})

it('is ignored if it is incomplete or cannot be written', async () => {
  const path = join(scratch(), 'one.state')
  writeFileSync(path, '{"mark":"me","sta')
  expect(readStandingFile(path, 'me')).toBeUndefined()
  expect(readFileSync(path, 'utf8')).toContain('sta')
  const nowhere = join(scratch(), 'no-such-folder', 'one.state')
  const file = keepStandingFile(nowhere, 'me', () => standing)
  file.update()
  await file.close()
  expect(readStandingFile(nowhere, 'me')).toBeUndefined()
})
