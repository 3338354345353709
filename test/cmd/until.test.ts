// `until` of runs that are not started by `execute`: in the background, on a schedule, over HTTP, by profile.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../../internal/base/process-identity.ts'
import type { Event } from '../../internal/event/event.ts'
import { program, type World } from '../support/anode.ts'
import { ask } from '../support/http-server.ts'
import { proofFixtures, proofWorld } from '../support/proof-project.ts'

let at: World
beforeEach(() => {
  at = proofWorld()
})
afterEach(() => at.remove())

const scriptOf = (name: string) => `script:${join(proofFixtures, `${name}.jsonl`)}`
const until = ['--until', 'npm test']

/** Returns the end of a stored run: its end, reason, and the state of its proof. */
async function endOf(thread: string) {
  const { out } = await at.anode(['threads', 'export', thread, '--format', 'jsonl'])
  const events = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event)
  const end = events.findLast(({ type }) => type === 'run.ended')
  if (end?.type !== 'run.ended') return 'no end'
  return [end.payload.end, end.payload.reason ?? '', end.payload.proof?.state]
}

/** Waits for the end of a background run, and of its process. */
async function awaitEnd(thread: string, expected: readonly unknown[]) {
  const options = { timeout: 60_000, interval: 200 }
  await expect.poll(() => endOf(thread), options).toEqual(expected)
  const record = () => JSON.parse(readFileSync(join(at.data, 'runs', `${thread}.json`), 'utf8'))
  await expect.poll(record, options).toHaveProperty('ended')
  await expect.poll(() => isAlive(record().mark, 0), options).toBe(false)
}

const ends = [
  ['fix', ['done', '', 'proven']],
  ['idle', ['partial', 'no_change', 'unproven']],
] as const

test.each(ends)(
  'a background run of the model %s',
  async (name, expected) => {
    const words = ['--model', scriptOf(name), '--approval', 'unrestricted', ...until]
    const { code, out } = await at.anode(['runs', 'start', 'Fix add', ...words])
    expect(code).toBe(0)
    await awaitEnd(out.trim(), expected)
    const proof = name === 'fix' ? 'proven by npm test' : 'NOT proven: npm test fails'
    expect(JSON.parse((await at.anode(['runs', 'list', '--json'])).out)).toMatchObject([{ proof }])
    expect((await at.anode(['runs', 'list'])).out).toContain(`, ${proof}`)
  },
  90_000,
)

test('a background run whose check cannot start is an error', async () => {
  const words = ['--model', scriptOf('fix'), '--until', 'no-such-program']
  const { code, err } = await at.anode(['runs', 'start', 'Fix add', ...words])
  expect([code, err]).toEqual([2, expect.stringContaining('no-such-program')])
})

test.each(ends)('a scheduled run of the model %s', async (name, expected) => {
  const job = ['--execute', 'Fix add', '--model', scriptOf(name), '--name', 'job']
  at.put('../.config/anode/config.json', JSON.stringify({ permissions: [{ tool: '*', action: 'allow' }] }))
  await at.anode(['cron', 'add', '@daily', ...job, ...until, '--until', 'node -e 0'])
  await at.anode(['cron', 'run', 'job'])
  const [run] = JSON.parse((await at.anode(['cron', 'history', 'job', '--json'])).out)
  expect(run).toMatchObject({ exit: name === 'fix' ? 0 : 5 })
  expect(await endOf(run.thread)).toEqual(expected)
})

test.each([
  [['--study', 'What is it?', ...until], /--until is not for --study/],
  [['--execute', 'x', '--until', ' '], /a command of --until is empty/],
  [['--execute', 'x', '--until', 'a\nb'], /a command of --until has several lines/],
])('cron add %j is an error', async (words, message) => {
  const { code, err } = await at.anode(['cron', 'add', '@daily', ...words])
  expect([code, err]).toEqual([2, expect.stringMatching(message)])
})

test('a run over HTTP', async () => {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    env: { PATH: process.env.PATH, HOME: join(at.dir, '..'), ANODE_DATA_DIR: at.data },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) if (lines.push(line) === 3) break
  const port = Number(/:(\d+)$/.exec(lines[0] ?? '')?.[1])
  const token = readFileSync((lines[2] ?? '').replace('token    in ', ''), 'utf8').trim()
  at.put('../.config/anode/config.json', JSON.stringify({ model: scriptOf('idle') }))
  await at.anode(['execute', 'x', '--model', scriptOf('idle')])
  const body = { task: 'Fix add', workspace: at.dir, until: ['npm test'] }
  const act = (await at.anode(['serve', 'token', '--scope', 'act'])).out.trim()
  expect(await ask(port, '/v1/runs', { body, token: act })).toMatchObject({ status: 403 })
  const begun = await ask(port, '/v1/runs', { body, token })
  expect(begun).toMatchObject({ status: 201 })
  const { thread } = begun.json as { thread: string }
  await awaitEnd(thread, ends[1][1])
  const gone = once(child, 'exit')
  await at.anode(['serve', 'stop'])
  await gone
}, 120_000)

test('a profile with until checks every run', async () => {
  const prompt = '---\nabout: fixes\ntools: ["*"]\nuntil: npm test\n---\nFix it.\n'
  at.put('../.config/anode/profiles/fixer.md', prompt)
  const run = async (model: string, ...words: string[]) => {
    const wishes = ['--model', scriptOf(model), '--profile', 'fixer', '--approval', 'unrestricted', '--json']
    const { code, out } = await at.anode(['execute', 'Fix add', ...wishes, ...words])
    const { end, proof } = JSON.parse(out)
    return [code, end, proof?.state]
  }
  expect(await run('idle')).toEqual([5, 'partial', 'unproven'])
  expect(await run('fix')).toEqual([0, 'done', 'proven'])
  expect(await run('idle', '--resume', 'last')).toEqual([0, 'done', 'proven'])
})
