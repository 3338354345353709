// Checks next to the workers of a build: how many run at once, and a worker that does not wait for them.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { buildWorld, renameTask, runBuild } from '../../support/build.ts'

function begin(modules: readonly string[]) {
  const w = buildWorld(modules)
  onTestFinished(() => w.remove())
  return { w, mark: (name: string) => join(w.dir, '..', `mark-${name}`) }
}

it('runs at most one check for each two processors, and at most two on a small machine', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f']
  const { w, mark } = begin(ids)
  const log = mark('log')
  const until = [`echo + >> ${log}; sleep 1; echo - >> ${log}`]
  const tasks = ids.map((id) => renameTask(id))
  // the checks write into one file outside of their worktrees
  const words = ['--workers', '6', '--sandbox', 'off']
  const { code, err } = await runBuild(w, tasks, words, { until })
  expect(code, err).toBe(0)
  let running = 0
  const counts = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((sign) => (running += sign === '+' ? 1 : -1))
  expect(counts).toHaveLength(2 * (2 * ids.length + 1))
  expect(Math.max(...counts)).toBeLessThanOrEqual(Math.max(2, Math.floor(availableParallelism() / 2)))
})

it('starts the next task while a long check runs, also with one worker', async () => {
  const { w, mark } = begin(['a', 'b'])
  const wait = (name: string) =>
    `for i in $(seq 600); do test -e ${mark(name)} && break; sleep 0.1; done; test -e ${mark(name)}`
  const tasks = [
    // this check passes only while or after the other task works
    renameTask('a', { until: [wait('b')] }),
    renameTask('b', { run: `touch ${mark('b')}; node codemod.js src/b` }),
  ]
  const words = ['--workers', '1', '--attempts', '1', '--sandbox', 'off']
  const { code, err, build } = await runBuild(w, tasks, words)
  expect(code, err).toBe(0)
  expect(build?.tasks.map(({ state, attempt }) => [state, attempt])).toEqual([
    ['merged', 1],
    ['merged', 1],
  ])
})
