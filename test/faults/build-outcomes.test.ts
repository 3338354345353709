// Work that must not be merged, and other rows of the table of faults that need no kill: each ends as the table
// says.
import { afterAll, afterEach, expect, it, test } from 'vitest'
import type { World } from '../support/anode.ts'
import { buildWorld, type PlannedTask, planText, renameTask, runBuild } from '../support/build.ts'
import { git } from '../support/repo.ts'

const open: World[] = []
let tried = 0
let survived = 0
afterAll(() => console.log(`outcomes of builds: ${survived} of ${tried} as they have to be`))
afterEach(({ task }) => {
  for (const w of open.splice(0)) w.remove()
  tried++
  if (task.result?.state !== 'fail') survived++
})
function begin(...[modules, files]: Parameters<typeof buildWorld>): World {
  const w = buildWorld(modules, files)
  open.push(w)
  return w
}
const subjects = (w: World, branch: string) =>
  git(w.dir, 'log', '--format=%s', `main..${branch}`).trimEnd().split('\n')

/** What ends a task without a merge: the task, and the reason with its detail. */
const failures: [title: string, task: PlannedTask, attempts: number, why: string, detail: RegExp][] = [
  ['its command fails', renameTask('a', { run: 'echo broken; exit 3' }), 3, 'work', /exit 3\nbroken/],
  ['it changes nothing', renameTask('a', { run: 'true' }), 2, 'no_change', /without a change/],
  [
    'it leaves its scope',
    renameTask('a', { run: 'echo x > src/b/x.js; echo y > y' }),
    2,
    'scope',
    /src\/b\/x\.js\ny/,
  ],
  [
    'its check fails',
    renameTask('a', { run: 'echo "module.exports = () => 5" > src/a/index.js' }),
    3,
    'checks',
    /a does not double/,
  ],
  [
    'it empties the check',
    renameTask('a', { run: ': > test/all.test.js', scope: ['test/**'] }),
    3,
    'tampered',
    /test\/all\.test\.js/,
  ],
]

test.each(failures)('a task ends if %s', async (_, task, attempts, why, detail) => {
  const w = begin(['a', 'b'])
  const { code, build, err } = await runBuild(w, [task, renameTask('b')])
  expect(code, err).toBe(3)
  expect(build?.end).toBe('partial')
  const [first, second] = build?.tasks ?? []
  expect(first).toMatchObject({ state: 'failed', why, attempt: attempts })
  expect(first?.detail).toMatch(detail)
  expect(second?.state).toBe('merged')
  expect(subjects(w, build?.branch ?? '')).toEqual(['b: node codemod.js src/b'])
})

it('sends a task back whose result fails only together with another one', async () => {
  const both =
    "if (require('../src/a')(1) + require('../src/b')(1) > 5) throw new Error('together too large')\n"
  const w = begin(['a', 'b'], { 'test/all.test.js': both })
  const larger = (id: string) =>
    renameTask(id, { run: `echo "module.exports = (n) => 3 * n" > src/${id}/index.js` })
  const { code, build, err } = await runBuild(w, [larger('a'), larger('b')])
  expect(code, err).toBe(3)
  const failed = build?.tasks.find(({ state }) => state === 'failed')
  expect(build?.tasks.map(({ state }) => state).sort()).toEqual(['failed', 'merged'])
  expect(failed).toMatchObject({ why: 'checks', detail: expect.stringContaining('together too large') })
})

it('refuses to merge into a branch that has moved, and reports the distance', async () => {
  const w = begin(['a'])
  await runBuild(w, [renameTask('a')])
  w.put('other.txt', 'x\n')
  git(w.dir, 'add', '-A')
  git(w.dir, 'commit', '-qm', 'second')
  const refused = await w.anode(['build', 'merge'])
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('git rebase')])
  expect((await w.anode(['build', 'report'])).out).toContain('moved by 1 since')
})

it('ends with 5 if every task is merged, but the closing check fails', async () => {
  const w = begin(['a'])
  const until = ['case "$PWD" in *.closing) echo it is closed; exit 1;; esac']
  const { code, err, build } = await runBuild(w, [renameTask('a')], [], { until })
  expect([code, build?.end], err).toEqual([5, 'unverified'])
  expect(build?.tasks.map(({ state }) => state)).toEqual(['merged'])
  expect(build).toMatchObject({ detail: expect.stringContaining('it is closed') })
  for (const words of [['status'], ['report'], ['report', 'last', '--format', 'pr']])
    expect((await w.anode(['build', ...words])).out, words[0]).toContain('it is closed')
})

/** Runs a build whose planner returns `count` tasks, twice if the first plan is refused. */
async function planned(count: number) {
  const w = begin(['a'])
  const task = { ...renameTask('a'), scope: ['src/a/**'] }
  const text = planText(Array.from({ length: count }, (_, i) => ({ ...task, id: `t${i}` })))
  const reply = JSON.stringify({ task: 'plan', text: `\`\`\`json\n${text}\n\`\`\`` })
  w.put('../script.jsonl', `${reply}\n${reply}\n`)
  const words = ['build', 'Rename all', '--model', 'script:../script.jsonl', '--yes', '--json']
  const { code, out, err } = await w.anode(words)
  return { code, err, build: JSON.parse(out) }
}

it('runs the one task of a planner', async () => {
  const { code, err, build } = await planned(1)
  expect([code, build.end, build.tasks.length], err).toEqual([0, 'done', 1])
})

it('refuses 200 tasks of a planner with the reason', async () => {
  const { code, err, build } = await planned(200)
  expect([code, build.end, build.tasks.length], err).toEqual([1, 'failed', 0])
  expect(build.detail).toContain('a plan has at most 64 tasks')
})
