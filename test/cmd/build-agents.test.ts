// Agents as workers of `anode build`: their checks, attempts, scopes, limits, and what a kill leaves.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, test } from 'vitest'
import type { World } from '../support/anode.ts'
import { buildWorld, type PlannedTask, readCheckout, runBuild } from '../support/build.ts'
import { git } from '../support/repo.ts'

const open: World[] = []
afterEach(() => {
  for (const w of open.splice(0)) w.remove()
})

/** One line of a script. */
type Reply = Readonly<Record<string, unknown>>

/** Creates a workspace with these modules and a script outside of the repository. */
function begin(modules: readonly string[], replies: readonly Reply[]): World {
  const w = buildWorld(modules)
  open.push(w)
  writeScript(w, replies)
  return w
}
const writeScript = (w: World, replies: readonly Reply[]) =>
  writeFileSync(join(w.dir, '../script.jsonl'), replies.map((line) => `${JSON.stringify(line)}\n`).join(''))

const agentTask = (id: string, more: object = {}): PlannedTask => ({
  ...{ id, do: `Rename oldName in src/${id}.`, scope: [`src/${id}/**`] },
  ...more,
})
const edit = (id: string, path: string, from: string, to: string): Reply => ({
  task: id,
  calls: [{ name: 'edit_file', args: { path, old_string: from, new_string: to, replace_all: true } }],
})
const rename = (id: string) => edit(id, `src/${id}/index.js`, 'oldName', 'newName')
const stop = (id: string): Reply => ({ task: id, text: `Renamed in src/${id}.` })
const model = ['--model', 'script:../script.jsonl']

it('gives tasks to agents, proves their work, and merges it', async () => {
  const ids = ['a', 'b', 'c', 'd']
  const w = begin(
    ids,
    ids.flatMap((id) => [rename(id), stop(id)]),
  )
  const before = readCheckout(w.dir)
  const { code, err, build } = await runBuild(
    w,
    ids.map((id) => agentTask(id)),
    model,
  )
  expect(code, err).toBe(0)
  expect(build).toMatchObject({ end: 'done', proof: 'proven', repaid_steps: 0 })
  expect(build?.tasks.map(({ state, worker }) => [state, worker])).toEqual(ids.map(() => ['merged', 'agent']))
  expect(git(w.dir, 'show', `${build?.branch}:src/a/index.js`)).toContain('newName')
  const shown = await w.anode(['build', 'show', 'last', 'a'])
  expect(shown.out).toMatch(`thread  ${build?.tasks[0]?.thread}\ncheck  node test/all.test.js  exit 0\n`)
  expect(readCheckout(w.dir)).toEqual(before)
  expect(readdirSync(join(w.data, 'builds'))).toEqual([])
})

it('takes over the check that an agent has passed, and runs it again in the queue', async () => {
  const w = begin(['a'], [rename('a'), stop('a')])
  // the output of a run is in its receipt, but not in that of a check that was taken over
  const until = ['node test/all.test.js && echo checked']
  const { code, err, build } = await runBuild(w, [agentTask('a')], model, { until })
  expect(code, err).toBe(0)
  const { out } = await w.anode(['build', 'watch', build?.id ?? '', '--json'])
  const lines = out.split('\n').filter((line) => line.startsWith('{"seq"'))
  const proofs = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'proof')
  const outputs = proofs.map(({ data }) => [
    data.where,
    data.receipt.checks[0].exit,
    data.receipt.checks[0].output,
  ])
  expect(outputs).toEqual([
    ['task', 0, ''],
    ['queue', 0, 'checked'],
    ['closing', 0, 'checked'],
  ])
})

const create = (task: string, path: string, content: string): Reply => ({
  task,
  calls: [{ name: 'create_file', args: { path, content } }],
})

it('reports a write outside of the scope in the result of the call, and tries again once', async () => {
  const out = create('a', 'src/b/x.js', 'module.exports = (n) => n * 2\n')
  const w = begin(['a', 'b'], [out, stop('a'), rename('a'), stop('a')])
  const { code, err, build } = await runBuild(w, [agentTask('a')], model)
  expect(code, err).toBe(0)
  const [task] = build?.tasks ?? []
  expect(task).toMatchObject({ state: 'merged', attempt: 2, files: ['src/a/index.js'] })
  const thread = await w.anode(['threads', 'show', task?.thread ?? ''])
  expect(thread.out, thread.err).toContain('outside of the scope of this task: src/b/x.js')
  // one conversation over both attempts
  expect(thread.out).toContain('Attempt 2 of 3 at task a.')
})

it('goes back to its agent with both sides of a conflict', async () => {
  const append = (id: string) => edit(id, 'CHANGELOG.md', '# Changes\n', `# Changes\n- ${id}\n`)
  const w = begin(
    ['a', 'b'],
    [
      ...[append('a'), rename('a'), stop('a')],
      ...[append('b'), { ...rename('b'), delay_ms: 1_000 }, { ...stop('b'), delay_ms: 1_000 }],
      // the second one in the queue has to work again, and any of the two may be that
      ...[append('a'), rename('a'), stop('a')],
      ...[append('b'), rename('b'), stop('b')],
    ],
  )
  const { code, err, build } = await runBuild(
    w,
    ['a', 'b'].map((id) => agentTask(id)),
    model,
  )
  expect(code, err).toBe(0)
  expect(build?.tasks.map(({ attempt }) => attempt).sort()).toEqual([1, 2])
  expect(git(w.dir, 'show', `${build?.branch}:CHANGELOG.md`)).toMatch(/- [ab]\n- [ab]\n/)
})

/** Ends of an agent without a merge: its responses, flags, exit code, and the reason with its detail. */
const ends: [title: string, replies: Reply[], words: string[], code: number, why: string, detail: RegExp][] =
  [
    ['its model fails', [{ task: 'a', error: { status: 401 } }], ['--attempts', '1'], 1, 'work', /401|auth/],
    ['it changes nothing', [stop('a'), stop('a')], ['--attempts', '1'], 1, 'no_change', /without a change/],
    [
      'its check fails to the end',
      [edit('a', 'src/a/index.js', 'n * 2', 'n * 3'), ...[stop('a'), stop('a'), stop('a'), stop('a')]],
      ['--attempts', '1'],
      1,
      'checks',
      /does not double/,
    ],
    ['the budget ends', [rename('a'), stop('a')], ['--budget-tokens', '100'], 3, 'limit', /tokens/],
    [
      'a call needs approval',
      [
        { task: 'a', calls: [{ name: 'create_file', args: { path: 'src/a/x.js', content: 'x' } }] },
        stop('a'),
      ],
      ['--approval', 'ask'],
      4,
      'denied',
      /needed approval/,
    ],
  ]

test.each(ends)('ends a task if %s', async (_, replies, words, code, why, detail) => {
  const w = begin(['a'], replies)
  const done = await runBuild(w, [agentTask('a')], [...model, ...words])
  expect(done.code, done.err + done.out).toBe(code)
  expect(done.build?.tasks[0]).toMatchObject({ why })
  expect(done.build?.tasks[0]?.detail).toMatch(detail)
  expect(readdirSync(join(w.data, 'builds'))).toEqual([])
})

it('does not start without a model or with an unknown one', async () => {
  const w = begin(['a'], [])
  const none = await runBuild(w, [agentTask('a')])
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('no model is configured')])
  const unknown = await runBuild(w, [agentTask('a')], ['--model', 'script:none.jsonl'])
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('none.jsonl')])
})
