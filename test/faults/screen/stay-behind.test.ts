// Leaving a run while a long command runs: the shell gets the terminal at once, or the window of the program
// closes at once, and the command is neither ended nor repeated.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { processesWith } from '../../internal/process/scratch.ts'
import { openScreenWorld, type ScreenWorld } from '../../support/screen-program.ts'
import { anodeLine, openTerminal, type TestTerminal } from '../../support/tmux.ts'
import { untilAnswerable } from '../../support/waiting.ts'

const linesOf = ({ dir }: ScreenWorld, name: string) =>
  existsSync(join(dir, name)) ? readFileSync(join(dir, name), 'utf8').trim().split('\n') : []

/** A command that runs until the file `go` exists. */
const long = (mark: string) =>
  `echo begun >> begun; exec -a ${mark} sh -c 'until [ -e go ]; do sleep 0.1; done; echo ended >> ended'`

const runsOf = async (world: ScreenWorld) =>
  JSON.parse((await world.anode(['runs', 'list', '--json'])).out || '[]') as { state: string; end: string }[]

interface LeftRun {
  world: ScreenWorld
  mark: string
  terminal: TestTerminal
}

const onLinux = it.runIf(process.platform === 'linux')

const openLong = (mark: string) =>
  openScreenWorld([
    { calls: [{ name: 'bash', args: { command: long(mark), timeout_ms: 600_000 } }] },
    { calls: [{ name: 'bash', args: { command: 'echo next >> ended' } }] },
    { text: 'All is done.' },
  ])

/** Starts a run below a shell, and leaves it while its command runs. */
async function leaveRun(form: string): Promise<LeftRun> {
  const mark = `mark-${Math.random()}`
  const world = openLong(mark)
  const env = { HOME: `${world.dir}/..`, ANODE_DATA_DIR: world.data, PATH: String(process.env.PATH) }
  const terminal = openTerminal('bash --norc --noprofile -i', { cwd: world.dir, env })
  await terminal.until(/[$#] ?$/m)
  terminal.paste(anodeLine(...world.model, '--screen', form, '--approval', 'unrestricted', 'go'))
  terminal.press('Enter')
  await expect.poll(() => linesOf(world, 'begun').length, { timeout: 60_000 }).toBe(1)
  terminal.press('C-d')
  await terminal.until(/d\b.*leave it running/)
  if (form === 'plain') await untilAnswerable('line')
  terminal.press('d', ...(form === 'plain' ? ['Enter'] : []))
  // only a shell that has the terminal calculates this
  await terminal.until(/still running/)
  terminal.paste('echo "shell-$((6 * 7))"')
  terminal.press('Enter')
  await terminal.until(/^shell-42/m)
  return { world, mark, terminal }
}

onLinux.each(['inline', 'full', 'plain'])('leaves a long command running (%s)', async (form) => {
  const { world, mark, terminal } = await leaveRun(form)
  expect(processesWith(mark)).not.toEqual([])
  expect(linesOf(world, 'ended')).toEqual([])
  expect(await runsOf(world)).toMatchObject([{ state: 'running' }])
  world.put('go', '')
  await expect.poll(async () => (await runsOf(world))[0]?.state, { timeout: 60_000 }).toBe('ended')
  expect(await runsOf(world)).toMatchObject([{ end: 'done' }])
  expect(linesOf(world, 'begun')).toEqual(['begun'])
  expect(linesOf(world, 'ended')).toEqual(['ended', 'next'])
  // the end of the run has not changed the terminal while the shell edits a line
  terminal.press('Up')
  await terminal.until(/echo "shell-[\s\S]*echo "shell-/)
})

onLinux('continues when the terminal is closed', async () => {
  const { world, terminal } = await leaveRun('inline')
  terminal.paste('exit')
  terminal.press('Enter')
  expect(await terminal.exit()).toBe(0)
  world.put('go', '')
  await expect.poll(async () => (await runsOf(world))[0]?.state, { timeout: 60_000 }).toBe('ended')
  expect(linesOf(world, 'ended')).toEqual(['ended', 'next'])
})

onLinux('is joined and stopped from another terminal', async () => {
  const { world, mark } = await leaveRun('inline')
  const stopped = await world.anode(['runs', 'cancel', 'last'])
  expect(stopped.code).toBe(0)
  await expect.poll(async () => (await runsOf(world))[0]?.state, { timeout: 60_000 }).toBe('ended')
  expect(processesWith(mark)).toEqual([])
  expect(linesOf(world, 'ended')).toEqual([])
})

/** Starts a run in a window that only it uses, and leaves it while its command runs. */
async function leaveWindow(form: string) {
  const mark = `mark-${Math.random()}`
  const world = openLong(mark)
  const screen = world.start([...world.model, '--screen', form, '--approval', 'unrestricted', 'go'])
  await expect.poll(() => linesOf(world, 'begun').length, { timeout: 60_000 }).toBe(1)
  screen.type('\x04')
  await screen.until(/d\b.*leave it running/)
  if (form === 'plain') await untilAnswerable('line')
  screen.type(form === 'plain' ? 'd\r' : 'd')
  await screen.until(/anode attach \S+ {2}still running; you can close this window/)
  await screen.until(() => screen.isClosed())
  return { world, mark, screen }
}

onLinux.each(['inline', 'full', 'plain'])(
  'closes its window while a long command runs (%s)',
  async (form) => {
    const { world, mark, screen } = await leaveWindow(form)
    screen.hangUp()
    expect(processesWith(mark)).not.toEqual([])
    expect(linesOf(world, 'ended')).toEqual([])
    expect(await runsOf(world)).toMatchObject([{ state: 'running' }])
    world.put('go', '')
    await expect.poll(async () => (await runsOf(world))[0]?.state, { timeout: 60_000 }).toBe('ended')
    expect(await runsOf(world)).toMatchObject([{ end: 'done' }])
    expect(linesOf(world, 'begun')).toEqual(['begun'])
    expect(linesOf(world, 'ended')).toEqual(['ended', 'next'])
  },
)

onLinux('continues when a window that stays open sends Ctrl-C and a new size', async () => {
  const { world, screen } = await leaveWindow('inline')
  const signals = ['SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGWINCH'] as const
  for (const signal of signals) process.kill(screen.program.pid, signal)
  world.put('go', '')
  expect(await screen.exit).toBe(0)
  expect(linesOf(world, 'begun')).toEqual(['begun'])
  expect(linesOf(world, 'ended')).toEqual(['ended', 'next'])
})
