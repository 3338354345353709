// `anode serve` as a person uses it: started, asked with the token of its file, given out tokens, stopped.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { program, world } from '../support/anode.ts'
import { ask } from '../support/http-server.ts'

it('serves until it is stopped', async () => {
  const at = world()
  onTestFinished(() => at.remove())
  expect(await at.anode(['serve', 'stop'])).toMatchObject({ code: 0, out: 'no server runs\n' })
  const env = { PATH: process.env.PATH, HOME: at.dir, ANODE_DATA_DIR: at.data }
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) if (lines.push(line) === 3) break
  const [, port = ''] = /^address {2}http:\/\/127\.0\.0\.1:(\d+)$/.exec(lines[0] ?? '') ?? []
  const token = readFileSync((lines[2] ?? '').replace('token    in ', ''), 'utf8').trim()
  expect(await ask(Number(port), '/v1/runs', { token })).toMatchObject({ status: 200, json: { runs: [] } })
  const given = (await at.anode(['serve', 'token', '--ttl', '1h'])).out.trim()
  expect(await ask(Number(port), '/v1/threads', { token: given })).toMatchObject({ status: 200 })
  const wish = { body: { task: 'x', workspace: at.dir }, token: given }
  expect(await ask(Number(port), '/v1/runs', wish)).toMatchObject({ status: 403 })
  expect(await at.anode(['serve'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('a server runs already'),
  })
  expect(await at.anode(['serve', 'stop'])).toMatchObject({ code: 0, out: 'stopped\n' })
  expect(await at.anode(['serve', '--port', 'x'])).toMatchObject({ code: 2 })
})
