// `anode build` killed at each kind of entry of its journal: resume merges every task once and leaves nothing.
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test } from 'vitest'
import { program, type World } from '../support/anode.ts'
import { buildWorld, planText, readStatus, renameTask } from '../support/build.ts'
import { git } from '../support/repo.ts'
import { sampleRows } from '../support/sample.ts'
import { root } from '../support/sources.ts'

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
  'reopened 1',
  'build.ended 1',
]

/** Starts a build and kills it when it reports the entry. Returns false if it ended before. */
function killAt(w: World, moment: string, words: readonly string[] = []): Promise<boolean> {
  const [kind, count] = moment.split(' ')
  const child = spawn(process.execPath, [program, 'build', '--plan', '../plan.json', '--json', ...words], {
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

/** Runs a build that is killed before its journal has the entry. Returns false if it ended before. */
async function killBefore(w: World, moment: string, words: readonly string[] = []): Promise<boolean> {
  const preload = join(root, 'test/support/kill-before-entry.cjs').replaceAll(' ', '\\ ')
  const env = { NODE_OPTIONS: `--require "${preload}"`, ANODE_TEST_KILL: moment }
  const { code } = await w.anode(['build', '--plan', '../plan.json', '--json', ...words], { env })
  return code === null
}

/** Kinds of entries, with the number of the entry of that kind before which the process is killed. */
const momentsBefore = [
  ...['leader 1', 'task.started 1', 'task.started 3', 'step 1', 'step 3', 'proof 1', 'proof 4', 'result 1'],
  ...[
    'queued 2',
    'merge.started 1',
    'merge.started 2',
    'merged 1',
    'merged 3',
    'reopened 1',
    'build.ended 1',
  ],
]

/** Expects the files of a build that nothing has interrupted; lines in conflict may have any order. */
function expectFiles(w: World, branch: string): void {
  const paths = ['CHANGELOG.md', ...modules.map((id) => `src/${id}/index.js`)]
  expect(git(w.dir, 'diff', '--name-only', 'main', branch).trimEnd().split('\n')).toEqual(paths)
  const changes = git(w.dir, 'show', `${branch}:CHANGELOG.md`).trimEnd().split('\n')
  expect(changes.sort()).toEqual(['# Changes', ...modules.map((id) => `- ${id}`)])
  for (const path of paths.slice(1)) {
    const before = git(w.dir, 'show', `main:${path}`)
    expect(git(w.dir, 'show', `${branch}:${path}`)).toBe(before.replaceAll('oldName', 'newName'))
  }
}

const tried = [
  ...sampleRows(moments, 6).map((moment) => ['after', moment] as const),
  ...sampleRows(momentsBefore, 5).map((moment) => ['before', moment] as const),
]
let survived = 0
afterAll(() => console.log(`builds killed: ${survived} of ${tried.length} survived`))

test.each(tried)('resumes after a kill %s %s, and merges each task once', async (side, moment) => {
  const w = buildWorld(modules)
  try {
    w.put('../plan.json', planText(modules.map((id) => renameTask(id, {}, `- ${id}`))))
    expect(await (side === 'after' ? killAt(w, moment) : killBefore(w, moment))).toBe(true)
    const { code, err } = await w.anode(['build', 'resume', 'last', '--json'])
    // nothing is left to resume after the last entry
    expect(code, err).toBe(side === 'after' && moment === 'build.ended 1' ? 1 : 0)
    const build = await readStatus(w)
    expect(build).toMatchObject({ end: 'done', proof: 'proven', repaid_steps: 0 })
    const ids = git(w.dir, 'log', '--format=%(trailers:key=Anode-Task,valueonly)', `main..${build.branch}`)
    const tasks = ids.split('\n').filter((line) => line !== '')
    expect(tasks.sort()).toEqual(modules.map((id) => `${build.id}/${id}`))
    expectFiles(w, build.branch)
    expect(readdirSync(join(w.data, 'builds'))).toEqual([])
    expect(git(w.dir, 'worktree', 'list').trimEnd().split('\n')).toHaveLength(1)
    survived++
  } finally {
    w.remove()
  }
})

test.each([
  ['after', killAt],
  ['before', killBefore],
])('ends a failed task once after a kill %s its end', async (_, kill) => {
  const w = buildWorld(modules)
  try {
    w.put('../plan.json', planText([renameTask('a', { run: 'exit 1' }), renameTask('b')]))
    expect(await kill(w, 'task.ended 1', ['--attempts', '1'])).toBe(true)
    const { code, out, err } = await w.anode(['build', 'resume', 'last', '--json'])
    expect(code, err).toBe(3)
    expect(JSON.parse(out)).toMatchObject({
      ...{ end: 'partial', proof: 'proven', repaid_steps: 0 },
      tasks: [{ state: 'failed', why: 'work', attempt: 1 }, { state: 'merged' }],
    })
    const entries = (await w.anode(['build', 'watch', 'last', '--json'])).out.match(/"kind":"task\.ended"/g)
    expect(entries).toHaveLength(1)
    expect(readdirSync(join(w.data, 'builds'))).toEqual([])
  } finally {
    w.remove()
  }
})

test('says that a build without a plan cannot be resumed, and lets it be dropped', async () => {
  const w = buildWorld(modules)
  try {
    w.put('../plan.json', planText(modules.map((id) => renameTask(id))))
    expect(await killBefore(w, 'plan 1')).toBe(true)
    const resumed = await w.anode(['build', 'resume', 'last'])
    expect([resumed.code, resumed.err]).toEqual([1, expect.stringContaining('has no plan')])
    const dropped = await w.anode(['build', 'drop', 'last'])
    expect(dropped.code, dropped.err).toBe(0)
    const again = await w.anode(['build', '--plan', '../plan.json'])
    expect(again.code, again.err).toBe(0)
  } finally {
    w.remove()
  }
})

/** Moments of agents: each task has three paid responses and one step at its end. */
const agentMoments = ['task.started 2', ...Array.from({ length: 11 }, (_, i) => `step ${i + 1}`), 'merged 2']

const triedAgents = sampleRows(agentMoments, 4)
let survivedAgents = 0
afterAll(() => console.log(`builds with agents killed: ${survivedAgents} of ${triedAgents.length} survived`))

test.each(triedAgents)('pays no response twice after a kill at %s', async (moment) => {
  const w = buildWorld(modules)
  const names = { old_str: 'oldName', new_str: 'newName', replace_all: true }
  const rename = (task: string) => ({
    task,
    calls: [{ name: 'edit_file', args: { ...names, path: `src/${task}/index.js` } }],
  })
  try {
    const tasks = modules.map((id) => ({ id, do: `Rename in src/${id}`, scope: [`src/${id}/**`] }))
    w.put('../plan.json', planText(tasks))
    // a call that was interrupted is not repeated, so the model repeats it
    const replies = modules.flatMap((id) => [rename(id), rename(id), { task: id, text: 'Renamed.' }])
    w.put('../script.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
    expect(await killAt(w, moment, ['--model', 'script:../script.jsonl'])).toBe(true)
    const { code, out, err } = await w.anode(['build', 'resume', 'last', '--json'])
    expect(code, err + out).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ end: 'done', repaid_steps: 0 })
    const lines = (await w.anode(['build', 'watch', 'last', '--json'])).out.trimEnd().split('\n')
    const steps = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'step')
    const paid = steps.filter(({ data }) => data.reply).map(({ data }) => `${data.task} ${data.n}`)
    expect(paid.sort()).toEqual(modules.flatMap((id) => [1, 2, 3].map((n) => `${id} ${n}`)))
    expect(readdirSync(join(w.data, 'builds'))).toEqual([])
    survivedAgents++
  } finally {
    w.remove()
  }
})
