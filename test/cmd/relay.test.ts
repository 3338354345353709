// Approvals and questions of runs that a relay answers instead of the terminal.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { relayProgram, relaySecret, sendSigned, serveRelay } from '../support/relay.ts'
import { scratch } from '../support/scratch.ts'
import { anodeLine, openTerminal } from '../support/tmux.ts'
import { typed } from '../support/typed.ts'

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

const touch = { name: 'bash', args: { command: 'touch made' } }
const ask = {
  name: 'ask_user',
  args: { question: 'Which driver?', options: [{ id: 'pg', label: 'PostgreSQL' }] },
}

/** Writes a configuration of the user outside of the workspace, and returns the environment for it. */
function configured(approvals: object): Record<string, string> {
  const path = join(scratch(), 'config.json')
  writeFileSync(path, JSON.stringify({ approvals }))
  return { ANODE_CONFIG: path }
}

function script(...calls: readonly object[]): string[] {
  const replies = [...calls.map((call) => ({ calls: [call] })), { text: 'the end' }]
  at.put('script.jsonl', replies.map((one) => JSON.stringify(one)).join('\n'))
  return ['execute', 'go', '--model', 'script:script.jsonl', '--approval', 'ask']
}

const made = () => existsSync(join(at.dir, 'made'))

it('lets a program answer approvals and questions without a terminal', async () => {
  const { command, dir } = relayProgram(
    'writeFileSync(question.kind, question.text)\nconsole.log(question.kind === \'approval\' ? \'{"allow":true}\' : \'{"option":"pg"}\')',
  )

  const env = configured({ relay: { command } })
  const ran = await at.anode([...script(touch, ask), '--json', '--on-ask', 'fail'], {
    env: { ...env, HOME: dir },
  })
  expect(ran.code).toBe(0)
  expect(made()).toBe(true)
  const text = readFileSync(join(dir, 'approval'), 'utf8')
  expect(text.split('\n').slice(0, 4)).toEqual(['Allow bash?', `│ in ${at.dir}`, 'Command', '│ touch made'])
  expect(readFileSync(join(dir, 'questions'), 'utf8')).toBe(
    'the model asks\n│ Which driver?\n│ 1) PostgreSQL',
  )
})

it('lets a server answer, signed on both sides', async () => {
  const { url } = await serveRelay(({ nonce }, response) => sendSigned(response, { nonce, allow: true }))
  const env = {
    ...configured({ relay: { url: url.href, secret: '{env:RELAY_SECRET}' } }),
    RELAY_SECRET: relaySecret,
  }
  expect(await at.anode(script(touch), { env })).toMatchObject({ code: 0 })
  expect(made()).toBe(true)
})

it('denies a call that the relay does not answer, and gives the reason', async () => {
  const { command } = relayProgram("console.error('the phone is off'); process.exit(1)")
  const env = configured({ relay: { command } })
  const ran = await at.anode([...script(touch, ask), '--stream-json'], { env })
  expect([ran.code, made()]).toEqual([4, false])
  expect(ran.out).toContain('the relay program gave no answer: it ended with exit code 1: the phone is off')
  const failed = await at.anode([...script(touch), '--on-ask', 'fail'], { env })
  expect([failed.code, made()]).toEqual([4, false])
})

it('ignores a relay in the configuration of a repository, trusted or not', async () => {
  const { command, dir } = relayProgram("writeFileSync('asked', ''); console.log('{\"allow\":true}')")
  at.put('anode.json', JSON.stringify({ approvals: { relay: { command } } }))
  for (const isTrusted of [false, true]) {
    if (isTrusted) expect((await typed(at, ['trust'], 'yes')).code).toBe(0)
    const ran = await at.anode(script(touch), { env: { HOME: dir } })
    expect([ran.code, made(), existsSync(join(dir, 'asked'))]).toEqual([4, false, false])
    if (isTrusted) expect(ran.err).toContain('approvals is ignored')
  }
  expect((await at.anode(['config', 'list', '--json'])).out).not.toContain(command[1])
})

it('rejects settings and flags of an invalid relay before anything runs', async () => {
  const bad = await at.anode(script(touch), { env: configured({ relay: { url: 'https://relay.example' } }) })
  expect(bad).toMatchObject({ code: 2, err: expect.stringContaining('approvals.relay.secret') })
  for (const flags of [
    ['--relay', 'chat'],
    ['--relay-origin', '{}'],
    ['--relay', 'chat', '--relay-origin', '[]'],
  ])
    expect(await at.anode([...script(touch), ...flags])).toMatchObject({ code: 2, out: '' })
})

it('asks terminal and relay at once, and closes the prompt when the relay answers first', async () => {
  const { command, dir } = relayProgram(
    "const { existsSync } = await import('node:fs')\nwriteFileSync('asked', '')\n" +
      "const look = setInterval(() => { if (existsSync('go')) { clearInterval(look); console.log('{\"allow\":true}') } }, 20)",
  )
  const env = { ...configured({ relay: { command } }), HOME: dir, ANODE_DATA_DIR: at.data }
  const terminal = openTerminal(anodeLine(...script(touch)), { cwd: at.dir, env })
  await terminal.until((text) => /Esc denies/.test(text))
  await expect.poll(() => existsSync(join(dir, 'asked'))).toBe(true)
  writeFileSync(join(dir, 'go'), '')
  const rows = await terminal.until((text) => text.includes('the end'))
  expect(rows.join('\n')).toContain('the relay allowed it: bash')
  expect(made()).toBe(true)
})

it('asks terminal and relay at once, and ends the program when the user answers first', async () => {
  const { command, dir } = relayProgram(
    "process.on('SIGTERM', () => { writeFileSync('told', ''); process.exit() })\n" +
      "writeFileSync('asked', ''); setInterval(() => 0, 1000)",
  )
  const env = { ...configured({ relay: { command } }), HOME: dir, ANODE_DATA_DIR: at.data }
  const terminal = openTerminal(anodeLine(...script(touch)), { cwd: at.dir, env })
  await terminal.until((text) => /Esc denies/.test(text))
  await expect.poll(() => existsSync(join(dir, 'asked'))).toBe(true)
  terminal.press('n')
  const rows = await terminal.until((text) => text.includes('the end'))
  expect(rows.join('\n')).toContain('Denied: bash touch made')
  await expect.poll(() => existsSync(join(dir, 'told'))).toBe(true)
})
