// `anode build` killed at each kind of entry of its journal: resume merges every task once and leaves nothing.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import type { BuildSummary } from '../../internal/build/summary.ts'
import { program, type World } from '../support/anode.ts'
import { buildWorld, planText, renameTask } from '../support/build.ts'
import { git } from '../support/repo.ts'
import { sampleRows } from '../support/sample.ts'

const modules = ['a', 'b', 'c']

/** Kinds of entries, with the number of the entry of that kind after which the process is killed. */
const moments = [
  'plan 1',
  'leader 1',
  'task.started 1',
  'task.started 3',
  'step 1',
  'step 2',
  'proof 1',
  'proof 3',
  'result 1',
  'queued 1',
  'queued 3',
  'merge.started 1',
  'merge.started 2',
  'merged 1',
  'merged 2',
  'merged 3',
]

/** Starts a build and kills it when it reports the entry. Returns false if it ended before. */
function killAt(w: World, moment: string): Promise<boolean> {
  const [kind, count] = moment.split(' ')
  const child = spawn(process.execPath, [program, 'build', '--plan', '../plan.json', '--json'], {
    cwd: w.dir,
    env: { PATH: process.env.PATH, HOME: join(w.dir, '..'), ANODE_DATA_DIR: w.data },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let seen = 0
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.includes(`"kind":"${kind}"`) && ++seen === Number(count)) child.kill('SIGKILL')
  })
  return new Promise((resolve) => child.on('close', (_, signal) => resolve(signal === 'SIGKILL')))
}

const tried = sampleRows(moments, 6)
let survived = 0
afterAll(() => console.log(`builds killed: ${survived} of ${tried.length} survived`))

test.each(tried)('resumes after a kill at %s, and merges each task once', async (moment) => {
  const w = buildWorld(modules)
  try {
    w.put('../plan.json', planText(modules.map((id) => renameTask(id, {}, `- ${id}`))))
    expect(await killAt(w, moment)).toBe(true)
    const { code, out, err } = await w.anode(['build', 'resume', 'last', '--json'])
    expect(code, err).toBe(0)
    const build: BuildSummary = JSON.parse(out)
    expect(build).toMatchObject({ end: 'done', proof: 'proven', repaid_steps: 0 })
    const ids = git(w.dir, 'log', '--format=%(trailers:key=Anode-Task,valueonly)', `main..${build.branch}`)
    const tasks = ids.split('\n').filter((line) => line !== '')
    expect(tasks.sort()).toEqual(modules.map((id) => `${build.id}/${id}`))
    expect(readdirSync(join(w.data, 'builds'))).toEqual([])
    expect(git(w.dir, 'worktree', 'list').trimEnd().split('\n')).toHaveLength(1)
    survived++
  } finally {
    w.remove()
  }
})
