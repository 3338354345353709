// Limits of builds that were resumed: a build continues with the raised limit, and pays no response twice.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, test } from 'vitest'
import type { BuildSummary } from '../../internal/build/summary.ts'
import type { World } from '../support/anode.ts'
import { buildWorld, planText, readStatus, renameTask, runBuild } from '../support/build.ts'
import { type ModelServer, type Received, type ServedReply, serveModel } from '../support/model-server.ts'
import { git } from '../support/repo.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const taskOf = ({ raw }: Received) => /Task (\w+) of the goal/.exec(raw)?.[1] ?? 'plan'
const isPlanner = (request: Received) => taskOf(request) === 'plan'
const results = ({ body }: Received) =>
  body.messages.filter(({ role }: { role: string }) => role === 'tool').length

/** The responses of one agent: a command that renames, adds a binary file and deletes one, and its answer. */
function respond(request: Received, usage: ServedReply['usage']): ServedReply {
  const id = taskOf(request)
  if (results(request) > 0) return { text: isPlanner(request) ? planOf(['a', 'b']) : 'Renamed.', usage }
  if (isPlanner(request)) return { calls: [{ name: 'glob', args: { pattern: 'src/**' } }], usage }
  const command = [
    `sed -i s/oldName/newName/ src/${id}/index.js`,
    `printf '\\0\\1\\377' > src/${id}/data.bin`,
    `rm src/${id}/old.txt`,
    `chmod +x src/${id}/index.js`,
  ].join(' && ')
  return { calls: [{ name: 'bash', args: { command } }], usage }
}

const agentTask = (id: string) => ({ id, do: `Rename in src/${id}.`, scope: [`src/${id}/**`] })
const planOf = (ids: readonly string[]) => planText(ids.map(agentTask), { until: ['test -d src'] })

interface Place {
  w: World
  server: ModelServer
  env: Readonly<Record<string, string>>
  anode(...words: string[]): Promise<{ code: number | null; err: string; build: BuildSummary }>
}

async function begin(script: (request: Received, n: number) => ServedReply): Promise<Place> {
  const server = await serveModel(script)
  const files = { 'src/a/old.txt': 'old\n', 'src/b/old.txt': 'old\n', 'plan.json': planOf(['a', 'b']) }
  const w = buildWorld(['a', 'b'], files)
  const prices = { input: 1, output: 2 }
  const lab = { baseUrl: server.url, model: 'm', window: 200_000, price: prices }
  w.put('../config.json', JSON.stringify({ providers: { lab } }))
  open.push({ close: () => w.remove() }, server)
  const env = { ANODE_CONFIG: join(w.dir, '../config.json') }
  return {
    w,
    server,
    env,
    async anode(...words) {
      const { code, out, err } = await w.anode(['build', ...words, '--json'], { env })
      return { code, err: err + out, build: out.startsWith('{') ? JSON.parse(out) : await readStatus(w) }
    },
  }
}

const model = ['--model', 'lab/m', '--workers', '1']
const planned = ['--plan', 'plan.json', ...model]

async function expectContinued({ w, server, anode }: Place, more: readonly string[]) {
  const { code, err, build } = await anode('resume', 'last', ...more)
  expect(code, err).toBe(0)
  expect(build).toMatchObject({ end: 'done', repaid_steps: 0 })
  const asked = server.requests.map((request) => `${taskOf(request)} ${results(request)}`)
  expect(new Set(asked).size, `a request was sent twice: ${asked}`).toBe(asked.length)
  for (const id of ['a', 'b']) {
    const files = git(w.dir, 'diff', '--summary', 'main', build.branch, '--', `src/${id}`)
    expect(files).toContain(`delete mode 100644 src/${id}/old.txt`)
    expect(files).toContain(`mode change 100644 => 100755 src/${id}/index.js`)
    expect(git(w.dir, 'show', `${build.branch}:src/${id}/index.js`)).toContain('newName')
    expect(git(w.dir, 'cat-file', '-s', `${build.branch}:src/${id}/data.bin`).trim()).toBe('3')
  }
  expect(readdirSync(join(w.data, 'builds'))).toEqual([])
}

/** Limits that end the build after the first response of task a, and the raised ones. */
const rows: [title: string, limit: string[], raised: string[]][] = [
  ['tokens', ['--budget-tokens', '52000'], ['--budget-tokens', '900000']],
  ['money', ['--budget-usd', '0.055'], ['--budget-usd', '9']],
]

test.each(rows)('continues a build that a limit of %s has ended', async (title, limit, raised) => {
  const place = await begin((request) => respond(request, { in: 50_000, out: 1_000 }))
  const { code, err, build } = await place.anode(...planned, ...limit)
  expect(code, err).toBe(3)
  expect(build).toMatchObject({ end: 'partial', tasks: [{ why: 'limit' }, { why: 'limit' }] })
  // at most one response above the limit
  expect(title === 'tokens' ? build.tokens : (build.usd ?? 0)).toBeLessThanOrEqual(Number(limit[1]))
  const again = await place.anode('resume', 'last')
  expect([again.code, again.build.tokens], again.err).toEqual([3, build.tokens])
  await expectContinued(place, raised)
})

test.each(rows)('continues the planner that a limit of %s has ended', async (_, limit, raised) => {
  const place = await begin((request) => respond(request, { in: 50_000, out: 1_000 }))
  const { code, err, build } = await place.anode('Rename oldName', ...model, ...limit)
  expect(code, err).toBe(3)
  expect(build).toMatchObject({ end: 'partial', tasks: [] })
  expect(build.detail).toContain('the budget ends before the plan')
  await expectContinued(place, raised)
})

it('counts the planner of an approved plan for the one budget of its build', async () => {
  const place = await begin((request) => respond(request, { in: 20_000, out: 500 }))
  const { w, server, anode } = place
  const limit = ['--budget-tokens', '100000']
  const made = await w.anode(['build', 'Rename oldName', '--plan-only', ...model, ...limit], {
    env: place.env,
  })
  expect(made.code, made.err).toBe(0)
  expect(made.out).toMatch(/^# estimated cost: \$0\.\d\d for 2 agents, \d+,\d{3} tokens\n/)
  w.put('../approved.yaml', made.out)
  const id = /^build (\w+) /m.exec(made.err)?.[1] ?? ''
  w.put('../invalid.yaml', made.out.replaceAll('src/b', 'lib'))
  const invalid = await w.anode(['build', 'resume', id, '--plan', '../invalid.yaml'], { env: place.env })
  expect([invalid.code, invalid.err]).toEqual([2, expect.stringMatching(/invalid\.yaml:\d+: scope "lib/)])
  // the tasks alone need 82,000 tokens, and the planner has used 41,000
  const { code, err, build } = await anode('resume', id, '--plan', '../approved.yaml')
  expect(code, err).toBe(3)
  expect(build).toMatchObject({ end: 'partial', id, tokens: 20_500 * server.requests.length })
  expect(build.tokens).toBeLessThan(100_000 + 20_500)
  expect(JSON.parse((await w.anode(['build', 'list', '--json'])).out)).toMatchObject([{ id }])
  const again = await w.anode(['build', 'resume', id, '--plan', '../approved.yaml'])
  expect([again.code, again.err]).toEqual([2, expect.stringContaining(`build ${id} has a plan`)])
  await expectContinued(place, ['--budget-tokens', '900000'])
})

it('continues the work that a cancellation has interrupted', async () => {
  let release: () => void = () => undefined
  const until = new Promise<void>((resolve) => {
    release = resolve
  })
  const place = await begin((request, n) => {
    const reply = respond(request, { in: 100, out: 10 })
    if (n > 0) return reply
    // the response is complete only after the cancellation
    void place.w.anode(['build', 'cancel', 'last']).then(release)
    return { ...reply, hold: { at: 200, until } }
  })
  const { build, err } = await place.anode(...planned)
  expect(build.end, err).toBe('cancelled')
  await expectContinued(place, [])
})

it('gives a build that its deadline has ended the whole time again', async () => {
  const place = await begin((request, n) => ({
    ...respond(request, { in: 100, out: 10 }),
    // the deadline counts from the start of the build, so it is over before the response
    ...(n === 0 ? { delayMs: 6_500 } : {}),
  }))
  const { code, err, build } = await place.anode(...planned, '--deadline', '6s')
  expect(code, err).toBe(3)
  expect(build).toMatchObject({ end: 'partial', tasks: [{ why: 'limit' }, { why: 'limit' }] })
  const done = await place.anode('resume', 'last', '--deadline', '10m')
  expect(done.code, done.err).toBe(0)
  expect(done.build).toMatchObject({ end: 'done', repaid_steps: 0 })
  expect(done.build.deadline).toBeGreaterThan((build.deadline ?? 0) + 60_000)
})

it('starts tasks again that have attempts left under the new limit', async () => {
  const { w, anode } = await begin(() => ({ text: 'unused' }))
  const both = ['a', 'b'].map((id) => renameTask(id, {}, `- ${id}`))
  const first = await runBuild(w, both, ['--attempts', '1'])
  expect([first.code, first.err]).toEqual([3, expect.any(String)])
  expect(first.build?.tasks.map(({ why }) => why).sort()).toEqual(['conflict', null])
  const none = await anode('resume', 'last', '--attempts', '1')
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('nothing is left to resume')])
  const { code, err, build } = await anode('resume', 'last', '--attempts', '2')
  expect(code, err).toBe(0)
  expect(build.tasks.map(({ state }) => state)).toEqual(['merged', 'merged'])
})
