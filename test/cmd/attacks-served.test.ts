// Attacks by clients of `anode serve` that have a token of the scope `act` and try to exceed it.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { program, type World, world } from '../support/anode.ts'
import { ask, type HttpReply } from '../support/http-server.ts'
import { git } from '../support/repo.ts'

vi.setConfig({ testTimeout: 120_000 })

let at: World
let port = 0
let main = ''
let act = ''

beforeEach(async () => {
  at = world()
  onTestFinished(async () => {
    await at.anode(['serve', 'stop'])
    at.remove()
  })
  at.put('a.txt', 'one\n')
  git(at.dir, 'init', '-q', '-b', 'main')
  // a run of the server waits for approval of its first call
  const replies = [{ calls: [{ name: 'bash', args: { command: 'touch made' } }] }, { text: 'done' }]
  at.put('../replies.jsonl', replies.map((one) => `${JSON.stringify(one)}\n`).join(''))
  at.put('../.config/anode/config.json', JSON.stringify({ model: `script:${at.dir}/../replies.jsonl` }))
  // the workspace has a run, so `act` may work in it
  await at.anode(['execute', 'hello'])
  const env = { PATH: process.env.PATH, HOME: join(at.dir, '..'), ANODE_DATA_DIR: at.data }
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) if (lines.push(line) === 3) break
  port = Number(/:(\d+)$/.exec(lines[0] ?? '')?.[1])
  main = readFileSync(join(at.data, 'server', 'token'), 'utf8').trim()
  act = (await at.anode(['serve', 'token', '--scope', 'act', '--ttl', '1h'])).out.trim()
})

const post = (path: string, body: object, token = act): Promise<HttpReply> => ask(port, path, { body, token })
const inside = (name: string) => join(at.data, name)

it('works in the workspace that it may use', async () => {
  const read = await post('/v1/tools/read', { workspace: at.dir, args: { path: 'a.txt' } })
  expect(read).toMatchObject({ status: 200, json: { ok: true } })
})

it('R2: no workspace is inside the directories of Anode, for either token', async () => {
  const places = ['', 'server', 'threads', 'runs', 'drafts'].map(inside)
  const home = join(at.dir, '..')
  const config = [join(home, '.config', 'anode'), join(home, '.cache', 'anode')]
  const spelled = [`${at.data}/./server`, `${at.dir}/../data/server`, `${at.data}//server/`]
  const got: string[] = []
  for (const workspace of [...places, ...config, ...spelled])
    for (const token of [act, main]) {
      for (const [name, args] of Object.entries({
        read: { path: 'token' },
        grep: { pattern: '.' },
        bash: { command: 'cat token' },
      })) {
        const tried = await post(
          `/v1/tools/${name}`,
          { workspace, args, ...(token === main && { allow: true }) },
          token,
        )
        if (tried.status < 400 || tried.text.includes(main))
          got.push(`${name} in ${workspace}: ${tried.text}`)
      }
      const run = await post('/v1/runs', { workspace, task: 'read the token' }, token)
      if (run.status < 400) got.push(`a run in ${workspace}: ${run.text}`)
    }
  expect(got).toEqual([])
})

it('R2: the scope act neither opens a new workspace nor allows calls', async () => {
  at.put('../fresh/b.txt', 'two\n')
  const fresh = join(at.dir, '..', 'fresh')
  const read = { workspace: fresh, args: { path: 'b.txt' } }
  expect(await post('/v1/tools/read', read)).toMatchObject({ status: 403 })
  expect(await post('/v1/runs', { workspace: fresh, task: 'x' })).toMatchObject({ status: 403 })
  const shell = { workspace: at.dir, args: { command: 'touch made' }, allow: true }
  expect(await post('/v1/tools/bash', shell)).toMatchObject({ status: 403 })
  for (const mode of ['edits', 'auto', 'unrestricted']) {
    const { status } = await post('/v1/runs', { workspace: at.dir, task: 'x', mode })
    expect([mode, status]).toEqual([mode, expect.toSatisfy((code: number) => code >= 400)])
  }
  expect(existsSync(join(at.dir, 'made'))).toBe(false)
})

/** Returns several notations of a model name that is a file. */
const fileModels = () => {
  const file = join(at.dir, '..', 'rc')
  return ['script', 'record', 'replay'].flatMap((kind) => [
    `${kind}:${file}`,
    `${kind}:${file},builtin/extract`,
    ` ${kind}:${file},builtin/extract`,
    `${kind.toUpperCase()}:${file},builtin/extract`,
    `builtin/extract,${kind}:${file}`,
    `builtin/extract, ${kind}:${file},builtin/extract`,
    `${kind}:${file}\n`,
  ])
}

it('R2: rejects a file as the model of a request, at the start of a run and in commands to it', async () => {
  const started = await post('/v1/runs', { workspace: at.dir, task: 'x' })
  expect(started.status).toBe(201)
  const thread = String(started.json.thread)
  const taken: string[] = []
  let sent = 0
  const command = (body: object, token = act) =>
    post(`/v1/runs/${thread}/commands`, { ...body, id: `c${++sent}` }, token)
  for (const model of fileModels()) {
    for (const token of [act, main]) {
      const run = await post('/v1/runs', { workspace: at.dir, task: '$(touch PWNED)', model }, token)
      if (run.status < 400) taken.push(`run ${model}`)
      const sent = await command({ type: 'set_model', model }, token)
      if (sent.status < 400) taken.push(`set_model ${model}: ${sent.text}`)
    }
  }
  expect(taken).toEqual([])
  expect(existsSync(join(at.dir, '..', 'rc'))).toBe(false)
  // the conversation accepts other models
  expect(await command({ type: 'set_model', model: 'builtin/extract' })).toMatchObject({ status: 200 })
  await post(`/v1/runs/${thread}/cancel`, {})
})

it('R17: an id of one client, path and body gives nothing to another', async () => {
  at.put('b.txt', 'two\n')
  const id = 'the-same-id'
  const call = (path: string, token: string) =>
    post('/v1/tools/read', { id, workspace: at.dir, args: { path } }, token)
  expect((await call('a.txt', main)).text).toContain('one')
  // the responses for another token with this id, and for another path
  expect((await call('b.txt', act)).text).toContain('two')
  const other = await post('/v1/tools/glob', { id, workspace: at.dir, args: { pattern: '*.txt' } }, main)
  expect(other.text).toContain('b.txt')
  const read = (await at.anode(['serve', 'token', '--scope', 'read', '--ttl', '1h'])).out.trim()
  expect(await call('a.txt', read)).toMatchObject({ status: 403 })
  // the same client gets the outcome of its earlier request again
  at.put('a.txt', 'changed\n')
  expect((await call('a.txt', main)).text).toContain('one')
})
