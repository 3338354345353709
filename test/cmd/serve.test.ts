// `anode serve` as a user runs it: started, called with the token of its file, asked for new
// tokens, and stopped.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { program, world } from '../support/anode.ts'
import { ask } from '../support/http-server.ts'
import { openScreenWorld } from '../support/screen-program.ts'

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
  // a browser that stores the page it gets
  at.put('browser', '#!/bin/sh\ncp "$1" "$0.part" && mv "$0.part" "$0.shown"\n')
  chmodSync(`${at.dir}/browser`, 0o755)
  const opened = await at.anode(['serve', '--open'], { env: { BROWSER: `${at.dir}/browser` } })
  expect(opened).toMatchObject({ code: 0, err: `opened http://127.0.0.1:${port}\n` })
  const link = `url=http://127.0.0.1:${port}/#token=${token}"`
  const shown = `${at.dir}/browser.shown`
  await expect.poll(() => existsSync(shown) && readFileSync(shown, 'utf8'), { interval: 20 }).toContain(link)
  expect(statSync(`${at.data}/server/page.html`).mode & 0o777).toBe(0o600)
  expect(await at.anode(['serve'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('a server runs already'),
  })
  const unopened = await at.anode(['serve', '--open'], { env: { BROWSER: '/nowhere/browser' } })
  expect(unopened.err).toBe(`no browser was found; open ${at.data}/server/page.html\n`)
  expect(await at.anode(['serve', 'stop'])).toMatchObject({ code: 0, out: 'stopped\n' })
  expect(await at.anode(['serve', '--port', 'x'])).toMatchObject({ code: 2 })
})

it('prints a one-time link on a terminal only', async () => {
  const at = openScreenWorld([])
  const plain = at.start(['serve'], { columns: 120 })
  await plain.until(/page {5}not served; `anode serve --open` serves and opens it/)
  await at.anode(['serve', 'stop'])
  await plain.exit
  // over SSH no browser starts
  const opened = at.start(['serve', '--open'], { columns: 120 }, { BROWSER: '/nowhere/browser' })
  await opened.until(/no browser was found[\s\S]*#code=[\w-]{32}/)
  // xdg-open without a browser starts and fails
  at.put('fails', '#!/bin/sh\nexit 3\n')
  chmodSync(`${at.dir}/fails`, 0o755)
  const failed = at.start(['serve', '--open'], { columns: 120 }, { BROWSER: `${at.dir}/fails` })
  await failed.until(/no browser was found[\s\S]*#code=[\w-]{32}\s+valid once, for 10 minutes\n/)
  expect(await failed.exit).toBe(0)
  const json = at.start(['serve', '--json', '--open'], {}, { BROWSER: '/nowhere/browser' })
  expect(await json.exit).toBe(0)
  expect(json.lines()).not.toContain('code=')
  await at.anode(['serve', 'stop'])
  await opened.exit
  const env = { PATH: process.env.PATH, HOME: at.dir, ANODE_DATA_DIR: at.data }
  const piped = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void piped.kill('SIGKILL'))
  const ended = once(piped, 'close')
  let out = ''
  piped.stdout.on('data', (chunk) => {
    out += chunk
  })
  await expect.poll(() => out).toContain('token    in ')
  await at.anode(['serve', 'stop'])
  await ended
  expect(out).not.toMatch(/code=|page/)
})

it('serves the page of a study with --serve to any client with its URL', async () => {
  const at = world()
  onTestFinished(async () => {
    await at.anode(['serve', 'stop'])
    at.remove()
  })
  at.put('lock.md', 'The store locks its files with O_EXCL.\n')
  const study = ['study', 'How does the store lock its files?', '--workers', '1', '--in-process', '--serve']
  const done = await at.anode(study)
  expect(done.code).toBe(0)
  const [, port = '', path = '', token = ''] =
    /^page {2}http:\/\/127\.0\.0\.1:(\d+)(\/studies\/\w{26})#token=([\w-]{43})$/m.exec(done.err) ?? []
  expect(await ask(Number(port), path, { token: null })).toMatchObject({ status: 200 })
  const board = await ask(Number(port), `/v1${path}`, { token })
  expect(board).toMatchObject({ status: 200, json: { isOver: true, tasks: [{ phase: 'done' }] } })
  const cancel = { token, method: 'POST' }
  expect(await ask(Number(port), '/v1/runs/sess_01/cancel', cancel)).toMatchObject({ status: 403 })
  // a second one finds the server of the first
  expect((await at.anode(study)).err).toContain(`page  http://127.0.0.1:${port}/studies/`)
  await at.anode(['serve', 'stop'])
  // a server that listens on no port has no page
  const quiet = spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env.PATH, HOME: at.dir, ANODE_DATA_DIR: at.data },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void quiet.kill('SIGKILL'))
  for await (const line of createInterface({ input: quiet.stdout })) if (line.startsWith('token')) break
  expect(await at.anode(study)).toMatchObject({
    code: 2,
    err: expect.stringContaining('listens on no port'),
  })
})
