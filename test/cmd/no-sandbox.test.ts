// A machine without a working sandbox: the output of trust and doctor, tests and builds, and the rule for CI.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { grantTrust } from '../../internal/trust/trust.ts'
import { type World, withoutBubblewrap, world } from '../support/anode.ts'
import { root } from '../support/sources.ts'
import { typed } from '../support/typed.ts'

vi.setConfig({ testTimeout: 60_000 })

let at: World
let env: Record<string, string>
beforeEach(async () => {
  at = world()
  env = { PATH: linkPrograms(join(at.dir, '..', 'bin')) }
  at.put('package.json', JSON.stringify({ scripts: { test: 'touch ran', build: 'touch ran' } }))
  at.put('Makefile', 'check all:\n\ttouch ran\n')
  at.put('pytest.ini', '')
})
afterEach(() => at.remove())

/**
 * Creates links to all programs of this machine, with a bwrap that the kernel rejects, before /usr/bin
 * on the PATH.
 */
function linkPrograms(dir: string): string {
  mkdirSync(dir, { recursive: true })
  const refusal = '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n'
  writeFileSync(join(dir, 'bwrap'), refusal, { mode: 0o755 })
  for (const from of (process.env['PATH'] ?? '').split(delimiter).filter((one) => existsSync(one)))
    for (const name of readdirSync(from))
      if (!existsSync(join(dir, name)))
        try {
          symlinkSync(join(from, name), join(dir, name))
        } catch {
          // a link to nothing has the name already
        }
  return dir
}

interface Outcome {
  code: number | null
  ran: boolean
  text: string
}

/** Runs the calls without a terminal in mode auto. */
async function run(calls: readonly { name: string; args: Record<string, unknown> }[]): Promise<Outcome> {
  rmSync(join(at.dir, 'ran'), { force: true })
  const replies = [...calls.map((call) => ({ calls: [call] })), { text: 'Done.' }]
  at.put('../replies.jsonl', replies.map((reply) => JSON.stringify(reply)).join('\n'))
  const words = ['execute', 'go', '--model', 'script:../replies.jsonl', '--approval', 'auto', '--stream-json']
  const { code, out, err } = await at.anode(words, { env })
  return { code, ran: existsSync(join(at.dir, 'ran')), text: `${out}\n${err}` }
}

const bash = (command: string) => ({ name: 'bash', args: { command } })
const create = { name: 'create_file', args: { path: 'a.test.js', content: 'x\n' } }
const builders = ['npm test', 'npm run build', 'make check', 'make']

/** Returns the rule of the manual for one command. */
function manualRule(command: string) {
  const manual = readFileSync(join(root, 'manual', 'ci.md'), 'utf8')
  const block = /^\{ "permissions": \[(\{ "tool": "bash".*?\})\] \}$/m.exec(manual)?.[1]
  return { ...JSON.parse(block ?? 'null'), command }
}

test('the manual shows the rule of npm test', () => {
  expect(manualRule('npm test')).toEqual({ tool: 'bash', command: 'npm test', action: 'allow' })
})

test.each(builders)(
  '%s runs while nothing has changed; afterwards only the rule of the manual allows it',
  async (line) => {
    await grantTrust(at.dir, at.data)
    expect(await run([bash('ls'), bash(line)])).toMatchObject({ code: 0, ran: true })
    const denied = await run([create, bash(line)])
    expect(denied).toMatchObject({ ran: false })
    expect(denied.text).toContain('without a sandbox, tests and builds run with all your rights')
    const rule = /the rule (\{.*?\}) allows it/.exec(denied.text.replaceAll('\\"', '"'))?.[1]
    expect(JSON.parse(rule ?? 'null')).toEqual(manualRule(line))
    at.put('../.config/anode/config.json', JSON.stringify({ permissions: [manualRule(line)] }))
    expect(await run([create, bash(line)])).toMatchObject({ code: 0, ran: true })
  },
)

test('each way of the agent to change files counts', async () => {
  await grantTrust(at.dir, at.data)
  const edit = {
    name: 'edit_file',
    args: { path: 'Makefile', old_string: 'touch', new_string: 'touch ran; touch' },
  }
  for (const change of [create, edit, bash('touch x'), bash('node -e 1'), bash('echo x > t.js')])
    expect([change, await run([change, bash('npm test')])]).toEqual([
      change,
      expect.objectContaining({ ran: false }),
    ])
})

test('bubblewrap is not installed: the same holds, and nothing names a sandbox that contains commands', async () => {
  env = {}
  at.through = withoutBubblewrap()
  for (const line of builders) expect(await run([bash(line)])).toMatchObject({ ran: false })
  await grantTrust(at.dir, at.data)
  expect(await run([bash('ls'), bash('npm test')])).toMatchObject({ code: 0, ran: true })
  for (const change of [create, bash('touch x')]) {
    const denied = await run([change, bash('npm test')])
    expect(denied).toMatchObject({ ran: false })
    expect(denied.text).toContain('without a sandbox, tests and builds run with all your rights')
  }
  const doctor = (await at.anode(['doctor', '--json'])).out
  expect(doctor).toMatch(rights)
  expect(doctor).toMatch(/install/i)
  const status = (await at.anode(['trust', '--status'])).out.replace(/\s+/g, ' ')
  expect(status).toContain('No sandbox works on this machine: approved commands run with all your rights')
  const required = await at.anode([
    'tools',
    'use',
    'bash',
    '--allow-non-read',
    '--arg',
    'command=true',
    '--sandbox',
    'require',
  ])
  expect(required.code).not.toBe(0)
})

test('in an untrusted workspace nothing of it runs', async () => {
  for (const line of builders) expect(await run([bash(line)])).toMatchObject({ ran: false })
})

const rights = /all your rights/

test('doctor and trust say what runs without a sandbox', async () => {
  const doctor = (await at.anode(['doctor', '--json'], { env })).out
  expect(doctor).toMatch(rights)
  const status = (await at.anode(['trust', '--status'], { env })).out.replace(/\s+/g, ' ')
  expect(status).toContain('No sandbox works on this machine: approved commands run with all your rights')
  expect(status).toContain('only until the agent may have changed files, then Anode asks once per session')
  const { screen } = await typed(at, ['trust'], 'yes', env)
  expect(screen.indexOf('No sandbox works on this machine')).toBeLessThan(screen.indexOf('Type yes'))
  expect(screen).toMatch(rights)
})

test('a data directory that cannot be used changes nothing of what trust says about the machine', async () => {
  at.put('../file', '')
  const broken = { ANODE_DATA_DIR: join(at.dir, '..', 'file', 'data') }
  const status = async (more: Record<string, string>) =>
    (await at.anode(['trust', '--status'], { env: more })).out
  expect(await status(broken)).toBe(await status({}))
  expect(await status({ ...env, ...broken })).toBe(await status(env))
})

test('off and require: trust and doctor say what follows', async () => {
  const config = (sandbox: string) => at.put('../.config/anode/config.json', JSON.stringify({ sandbox }))
  config('off')
  for (const path of [env, {}]) {
    expect((await at.anode(['doctor'], { env: path })).out.replace(/\s+/g, ' ')).toMatch(rights)
    expect((await at.anode(['trust', '--status'], { env: path })).out).toContain('The sandbox is off')
  }
  config('require')
  const { out, code } = await at.anode(['doctor'], { env })
  expect(code).not.toBe(0)
  expect(out.replace(/\s+/g, ' ')).toContain('commands are refused')
  expect((await at.anode(['trust', '--status'], { env })).out).not.toMatch(rights)
})
