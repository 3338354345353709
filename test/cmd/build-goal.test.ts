// `anode build "GOAL"`: the plan of the planner, its checks, its approval, and what a kill leaves.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, it, test } from 'vitest'
import type { BuildSummary } from '../../internal/build/summary.ts'
import { program, type World } from '../support/anode.ts'
import { buildWorld, readCheckout } from '../support/build.ts'
import { git } from '../support/repo.ts'
import { hasTmux, openTerminal } from '../support/tmux.ts'

const open: World[] = []
afterEach(() => {
  for (const w of open.splice(0)) w.remove()
})

type Reply = Readonly<Record<string, unknown>>

const taskText = (id: string, scope = `src/${id}/**`) =>
  `  - id: ${id}\n    do: Rename oldName in src/${id}.\n    scope: ["${scope}"]\n`
const goodPlan = `until: ["node test/all.test.js"]\ntasks:\n${taskText('a')}${taskText('b')}`
const badPlan = goodPlan.replace('src/b/**', 'lib/**')
const plan = (text: string): Reply => ({ task: 'plan', text: `\`\`\`yaml\n${text}\`\`\`` })
const look: Reply = { task: 'plan', calls: [{ name: 'glob', args: { pattern: 'src/**' } }] }
const work = (id: string): Reply[] => {
  const args = { path: `src/${id}/index.js`, old_str: 'oldName', new_str: 'newName', replace_all: true }
  return [
    { task: id, calls: [{ name: 'edit_file', args }] },
    { task: id, text: 'Renamed.' },
  ]
}

function begin(replies: readonly Reply[]): World {
  const w = buildWorld(['a', 'b'])
  open.push(w)
  w.put('../script.jsonl', replies.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return w
}
const words = ['build', 'Rename oldName to newName', '--model', 'script:../script.jsonl']

async function run(w: World, ...more: string[]) {
  const done = await w.anode([...words, '--json', ...more])
  return { ...done, build: done.out === '' ? undefined : (JSON.parse(done.out) as BuildSummary) }
}

it('plans a goal, builds it, and leaves the checkout as it was', async () => {
  const w = begin([look, plan(goodPlan), ...work('a'), ...work('b')])
  const before = readCheckout(w.dir)
  const { code, err, build } = await run(w)
  expect(code, err).toBe(0)
  expect(build).toMatchObject({ end: 'done', goal: 'Rename oldName to newName', repaid_steps: 0 })
  expect(git(w.dir, 'show', `${build?.branch}:src/b/index.js`)).toContain('newName')
  expect(readCheckout(w.dir)).toEqual(before)
})

it('sends an invalid plan back once', async () => {
  const w = begin([plan(badPlan), plan(goodPlan), ...work('a'), ...work('b')])
  expect(await run(w)).toMatchObject({ code: 0, build: { end: 'done' } })
})

const many = `tasks:\n${Array.from({ length: 65 }, (_, i) => taskText(`t${i}`, 'src/a/**')).join('')}`
const refused: [title: string, text: string, reason: string][] = [
  ['a scope without files', badPlan, 'scope "lib/**" of task "b" matches no file'],
  ['a task without a check', goodPlan.replace(/^until.*\n/, ''), 'task "a" has no check'],
  ['more than 64 tasks', many, 'at most 64 tasks'],
  ['the id of the planner', goodPlan.replace('id: a', 'id: plan'), '"plan" is reserved'],
  ['no YAML', 'tasks: [', 'invalid YAML'],
]
test.each(refused)('ends with 1 after two plans with %s, and prints the plan', async (_, text, reason) => {
  const w = begin([plan(text), plan(text)])
  const { code, build } = await run(w)
  expect(code).toBe(1)
  expect(build?.end).toBe('failed')
  expect(build?.detail).toContain(reason)
  expect(build?.detail).toContain('tasks:')
})

it('prints the plan alone with --plan-only, as a file that --plan reads', async () => {
  const w = begin([plan(goodPlan), ...work('a'), ...work('b')])
  const done = await w.anode([...words, '--plan-only'])
  expect(done.code, done.err).toBe(0)
  expect(JSON.parse((await w.anode(['build', 'list', '--json'])).out)).toEqual([])
  w.put('../plan.yaml', done.out)
  const built = await w.anode(['build', '--plan', '../plan.yaml', '--model', 'script:../script.jsonl'])
  expect(built.code, built.err).toBe(0)
})

it('prints a checked plan file with --plan-only, and starts nothing', async () => {
  const w = begin([])
  w.put('../plan.yaml', goodPlan)
  const done = await w.anode(['build', '--plan', '../plan.yaml', '--plan-only', '--until', 'true'])
  expect([done.code, done.out], done.err).toEqual([0, expect.stringMatching(/until:\n.*\n {2}- "?true"?\n/)])
  w.put('../plan.yaml', badPlan)
  expect(await w.anode(['build', '--plan', '../plan.yaml', '--plan-only'])).toMatchObject({
    code: 2,
    out: '',
  })
  expect(JSON.parse((await w.anode(['build', 'list', '--json'])).out)).toEqual([])
})

it('plans once, although it is killed after each response of the planner', async () => {
  for (const moment of [1, 2]) {
    const w = begin([look, plan(goodPlan), ...work('a'), ...work('b')])
    const child = spawn(process.execPath, [program, ...words, '--json'], {
      cwd: w.dir,
      env: { PATH: process.env.PATH, HOME: join(w.dir, '..'), ANODE_DATA_DIR: w.data },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let seen = 0
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (line.includes('"kind":"step"') && ++seen === moment) child.kill('SIGKILL')
    })
    const signal = await new Promise((resolve) => child.on('close', (_, name) => resolve(name)))
    expect(signal).toBe('SIGKILL')
    const { code, out, err } = await w.anode(['build', 'resume', 'last', '--json'])
    expect(code, err + out).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ end: 'done', repaid_steps: 0 })
  }
})

describe.runIf(hasTmux())('on a terminal', () => {
  const env = (w: World) => ({
    PATH: process.env.PATH ?? '',
    HOME: join(w.dir, '..'),
    ANODE_DATA_DIR: w.data,
  })
  const line = `'${process.execPath}' '${program}' build 'Rename oldName' --model script:../script.jsonl`
  const start = (w: World, more = {}) =>
    openTerminal(line, { cwd: w.dir, env: { ...env(w), ...more }, rows: 40, columns: 100 })

  it('asks, and starts the plan that the user approves', async () => {
    const w = begin([plan(goodPlan), ...work('a'), ...work('b')])
    const t = start(w)
    await t.until(/Start this build\?/)
    expect(t.lines()).toContain('check after each merge  node test/all.test.js')
    expect(t.lines()).toMatch(/estimated cost {2}\S.* for 2 agents, \d+,\d{3} tokens/)
    t.press('y')
    expect(await t.exit(), t.lines()).toBe(0)
  })

  // makes the scope of task b invalid, and valid again with the next edit
  const editor = `grep -q 'lib/' "$1" && sed -i 's#lib/#src/b/#' "$1" || sed -i 's#src/b/#lib/#' "$1"\n`
  const edited = (w: World) => {
    w.put('../edit.sh', editor)
    return start(w, { EDITOR: `sh ${join(w.dir, '../edit.sh')}` })
  }

  it('lets the user edit the plan until it is valid', async () => {
    const w = begin([plan(goodPlan), ...work('a'), ...work('b')])
    const t = edited(w)
    await t.until(/Start this build\?/)
    t.press('e')
    await t.until(/plan\.yaml:\d+: scope "lib\/\*\*" of task "b" matches no file[\s\S]*Edit it again\?/)
    t.press('e')
    await t.until(/Edit it again\?[\s\S]*Start this build\?/)
    t.press('y')
    expect(await t.exit(), t.lines()).toBe(0)
  })

  it('prints an edited plan that does not start', async () => {
    const w = begin([plan(goodPlan)])
    const t = edited(w)
    await t.until(/Start this build\?/)
    t.press('e')
    await t.until(/Edit it again\?/)
    t.press('n')
    expect(await t.exit(), t.lines()).toBe(4)
    expect(t.lines()).toContain('- lib/**')
    expect(git(w.dir, 'branch', '--list', 'anode/*')).toBe('')
  })

  it('starts nothing if the user declines, and prints the plan', async () => {
    const w = begin([plan(goodPlan)])
    const t = start(w)
    await t.until(/Start this build\?/)
    t.press('n')
    expect(await t.exit(), t.lines()).toBe(4)
    expect(t.lines()).toContain('- id: a')
    expect(git(w.dir, 'branch', '--list', 'anode/*')).toBe('')
  })
})
