// Files by a few letters: which are offered, and how often they are listed.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { RunCommand } from '../../../../../internal/process/process-command.ts'
import { createRunner } from '../../../../../internal/process/run-command.ts'
import { openFileMentions } from '../../../../../internal/service/session/mentions/file-mentions.ts'
import { scratchWith } from '../../../../support/scratch.ts'

function openTree(files: Readonly<Record<string, string>>) {
  const dir = scratchWith(files)
  const runner = createRunner({ dataDir: scratchWith({}), env: process.env, keep: [] })
  onTestFinished(() => runner.close())
  let lists = 0
  const run: RunCommand = (command) => {
    lists++
    return runner.run(command)
  }
  const find = openFileMentions(dir, run)
  return {
    dir,
    lists: () => lists,
    find: async (query: string) => {
      const found = await find(query, 5, new AbortController().signal)
      return found.map(({ path }) => path)
    },
  }
}

test('one list serves all letters of a name, also when they come faster than it', async () => {
  const { find, lists } = openTree({ 'src/cart.ts': '', 'src/total.ts': '' })
  const both = await Promise.all([find(''), find('c')])
  expect(both).toEqual([['src/', 'src/cart.ts', 'src/total.ts'], expect.arrayContaining(['src/cart.ts'])])
  expect((await find('car'))[0]).toBe('src/cart.ts')
  expect((await find('tot'))[0]).toBe('src/total.ts')
  expect(lists()).toBe(1)
})

test('what was made since is found a little later', async () => {
  const { dir, find } = openTree({ 'a.ts': '' })
  expect(await find('new')).toEqual([])
  writeFileSync(join(dir, 'new.ts'), '')
  await expect.poll(() => find('new'), { timeout: 20_000, interval: 100 }).toEqual(['new.ts'])
})

test('names with a dot are offered where a dot is typed, secrets never', async () => {
  const { find } = openTree({
    '.github/ci.yml': '',
    '.gitignore': '',
    '.env': 'KEY=1',
    'src/.eslintrc': '',
    'g.ts': '',
  })
  expect(await find('g')).toEqual(['g.ts'])
  expect(await find('.git')).toEqual(['.github/', '.gitignore', '.github/ci.yml'])
  expect(await find('src/.es')).toEqual(['src/.eslintrc'])
  expect(await find('.env')).toEqual([])
})

test('a query that is no longer wanted ends', async () => {
  const many = Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`f${i}`, '']))
  const dir = scratchWith(many)
  const runner = createRunner({ dataDir: scratchWith({}), env: process.env, keep: [] })
  onTestFinished(() => runner.close())
  await expect(openFileMentions(dir, runner.run)('f', 5, AbortSignal.abort())).rejects.toThrow()
})
