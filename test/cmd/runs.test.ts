// `anode runs` and `anode attach` as a user runs them: a run is started, listed, joined on a terminal,
// left and ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { program, world } from '../support/anode.ts'
import { anodeLine, openTerminal } from '../support/tmux.ts'
import { untilAnswerable } from '../support/waiting.ts'

const bash = (command: string) => ({ calls: [{ name: 'bash', args: { command } }] })

it('starts a run, joins it on a terminal, answers it and leaves it', async () => {
  const at = world()
  onTestFinished(() => at.remove())
  const script = join(at.dir, '..', 'replies.jsonl')
  const replies = [bash('touch made.txt'), bash('sleep 0.5'), { text: 'It is made.' }]
  writeFileSync(script, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const none = await at.anode(['runs', 'list'])
  expect(none).toMatchObject({ code: 0, out: '', err: expect.stringContaining('No runs here yet') })
  const words = ['--model', `script:${script}`, '--approval', 'ask']
  const begun = await at.anode(['runs', 'start', 'Make a file', ...words])
  expect(begun).toMatchObject({ code: 0, out: expect.stringMatching(/^sess_\w+\n$/) })
  const env = { HOME: join(at.dir, '..'), ANODE_DATA_DIR: at.data, ANODE_SCREEN: 'plain' }
  const screen = openTerminal(anodeLine('attach'), { cwd: at.dir, env, rows: 50 })
  await screen.until(/answer with a number: 1 allow once/)
  expect((await at.anode(['runs', 'list'])).out).toMatch(/waiting: bash +.*Make a file/)
  await untilAnswerable('line')
  screen.press('1', 'Enter')
  await screen.until(/bash ended, exit 0[\s\S]*answer with a number/)
  screen.press('C-d')
  expect(await screen.exit()).toBe(0)
  expect(existsSync(join(at.dir, 'made.txt'))).toBe(true)
  const listed = JSON.parse((await at.anode(['runs', 'list', '--json'])).out)
  expect(listed).toMatchObject([{ state: 'waiting', waits: ['bash'], thread: begun.out.trim() }])
  expect((await at.anode(['runs', 'cancel', 'last'])).out).toBe(`${begun.out.trim()} cancelled\n`)
  expect(await at.anode(['runs', 'cancel', 'nobody'])).toMatchObject({ code: 2 })
})

it('without a terminal prints a run to its end, with the calls that wait for approval', async () => {
  const at = world()
  onTestFinished(() => at.remove())
  const script = join(at.dir, '..', 'replies.jsonl')
  const until = 'while [ ! -e go ]; do sleep 0.05; done; echo went'
  writeFileSync(
    script,
    [bash(until), { text: 'It went.' }].map((reply) => `${JSON.stringify(reply)}\n`).join(''),
  )
  const words = ['--model', `script:${script}`, '--approval', 'unrestricted']
  await at.anode(['runs', 'start', 'Go on', ...words])
  const following = at.anode(['attach', 'last'])
  await expect.poll(async () => (await at.anode(['runs', 'list', '--json'])).out).toContain('"running"')
  at.put('go', '')
  const { code, out } = await following
  expect(code).toBe(0)
  expect(out).toMatch(/^you: Go on\n[\s\S]*bash ended, exit 0[\s\S]*went[\s\S]*anode: It went\.\ndone/)
  // the same output after its process has ended
  const again = await at.anode(['attach'])
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('anode: It went.') })
  expect(again.out).toBe(out)
})

it.each([
  { signal: 'SIGINT' as const, code: 130 },
  { signal: 'SIGTERM' as const, code: 143 },
])('without a terminal ends with $code after $signal, and the run continues', async ({ signal, code }) => {
  const at = world()
  onTestFinished(() => at.remove())
  const script = join(at.dir, '..', 'replies.jsonl')
  writeFileSync(script, `${JSON.stringify(bash('touch made.txt'))}\n`)
  await at.anode(['runs', 'start', 'Make it', '--model', `script:${script}`, '--approval', 'ask'])
  const following = spawn(process.execPath, [program, 'attach', 'last'], {
    cwd: at.dir,
    env: { PATH: process.env['PATH'], HOME: join(at.dir, '..'), ANODE_DATA_DIR: at.data },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(following, 'close')
  for await (const chunk of following.stderr) if (/waits for an answer/.test(String(chunk))) break
  following.kill(signal)
  expect(await ended).toEqual([code, null])
  expect((await at.anode(['runs', 'list'])).out).toMatch(/waiting: bash/)
  await at.anode(['runs', 'cancel', 'last'])
})

it('reports missing arguments and runs', async () => {
  const at = world()
  onTestFinished(() => at.remove())
  expect(await at.anode(['attach'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('no runs yet'),
  })
  const bad = await at.anode(['runs', 'start', 'x', '--profile', 'nobody'])
  expect(bad).toMatchObject({ code: 2, out: '', err: expect.stringContaining('nobody') })
})
