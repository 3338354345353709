// Walks: how many files of the project a journey passes, counted where a function of them ran, from the sources.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { openScreenWorld, type ScreenWorld } from '../support/screen-program.ts'
import { root } from '../support/sources.ts'

/**
 * Most files of each journey today, which may only shrink. The design aims at `goal`. `key` counts from the key
 * press to the end of the reply, without the files that opening the session has passed before.
 */
const budgets = {
  read: { limit: 62, goal: 70 },
  execute: { limit: 120, goal: 120 },
  study: { limit: 225, goal: 200 },
  key: { limit: 103, goal: 140 },
}

/** A budget that is this far above its count is out of date and must be lowered. */
const slack = 25

/** A session is open when so many looks in a row have brought no new file. One look may fall into a pause. */
const quietLooks = 10

const fromSources = [
  '--import',
  join(root, 'test/support/source-coverage.mjs'),
  join(root, 'cmd/anode/main.ts'),
]

const replies = [
  { text: 'I read it.', calls: [{ name: 'read', args: { path: 'notes.md' } }] },
  { text: 'Errors of the network are retried.' },
]

function openWorld(): ScreenWorld & { walk: string } {
  const here = openScreenWorld(replies)
  here.put('notes.md', 'The retry waits 3 seconds.\n\nErrors of the network are retried twice.\n')
  return { ...here, walk: join(dirname(here.dir), 'walk.json') }
}

/** Returns the files of a walk that the program has written. */
function readWalk(path: string): string[] {
  const walk = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string[]>
  return Object.keys(walk).filter((file) => /^(?:cmd|internal)\//.test(file))
}

function expectWithinBudget(name: keyof typeof budgets, files: readonly string[]): void {
  const { limit } = budgets[name]
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(limit)
  const staleness = `lower the budget of ${name} in test/rules/walks.test.ts to ${files.length}`
  expect(files.length, staleness).toBeGreaterThanOrEqual(limit - slack)
}

it.each([
  { name: 'read' as const, words: () => ['tools', 'use', 'read', '--arg', 'path=notes.md'] },
  { name: 'execute' as const, words: (model: readonly string[]) => ['execute', 'Which?', ...model] },
  {
    name: 'study' as const,
    words: () => ['study', 'How are errors of the network retried?', '--in-process', '--workers', '1'],
  },
])('$name passes few files', async ({ name, words }) => {
  const here = openWorld()
  const child = spawn(process.execPath, [...fromSources, ...words(here.model)], {
    cwd: here.dir,
    env: {
      PATH: process.env.PATH,
      HOME: dirname(here.dir),
      ANODE_DATA_DIR: here.data,
      ANODE_WALK: here.walk,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let printed = ''
  child.stderr.on('data', (chunk) => {
    printed += chunk
  })
  const [code] = await once(child, 'close')
  expect(code, printed).toBe(0)
  expectWithinBudget(name, readWalk(here.walk))
})

it('a key press and its reply pass few files', async () => {
  const here = openWorld()
  const screen = here.startNode([...fromSources, ...here.model], { ANODE_WALK: here.walk })
  const takeWalk = async () => {
    rmSync(here.walk, { force: true })
    screen.program.kill('SIGUSR2')
    await screen.until(() => existsSync(here.walk))
    return readWalk(here.walk)
  }
  await screen.until(/script/)
  screen.type('Which errors are retried?')
  await screen.until(/Which errors are retried\?/)
  const before = new Set<string>()
  for (let quiet = 0; quiet < quietLooks; quiet++) {
    const fresh = (await takeWalk()).filter((file) => !before.has(file))
    if (fresh.length > 0) quiet = -1
    for (const file of fresh) before.add(file)
  }
  screen.type('\r')
  await screen.until(/Errors of the network are retried\./)
  const walk = await takeWalk()
  expectWithinBudget(
    'key',
    walk.filter((file) => !before.has(file)),
  )
  screen.program.kill('SIGTERM')
  await screen.exit
})
