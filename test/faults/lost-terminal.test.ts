// Jobs in the background of a shell whose terminal closes, and runs whose reader of a pipe has gone: each run ends
// as interrupted and can be resumed.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { processesWith } from '../internal/process/scratch.ts'
import type { World } from '../support/anode.ts'
import { buildWorld, planText, readStatus, renameTask } from '../support/build.ts'
import { openScreenWorld } from '../support/screen-program.ts'
import { anodeLine, openTerminal } from '../support/tmux.ts'

/** A command that runs until it is stopped or the file `go` exists. */
const long = (mark: string) => `exec -a ${mark} sh -c 'until [ -e go ]; do sleep 0.1; done'`

const openMark = () => {
  const mark = `mark-${Math.random()}`
  return {
    mark,
    replies: [{ calls: [{ name: 'bash', args: { command: long(mark) } }] }, { text: 'All is done.' }],
  }
}

const untilRuns = (mark: string) =>
  expect.poll(() => processesWith(mark).length, { timeout: 60_000 }).toBeGreaterThan(0)

/**
 * Starts a job below a shell, and closes its terminal when a command with the mark `begun` runs, or when the
 * terminal shows `begun`. The shell sends the job no signal. Returns a function that waits for the exit code
 * of the job.
 */
async function loseTerminal(
  { dir, data }: World,
  line: string,
  begun: string | RegExp,
): Promise<() => Promise<number>> {
  const env = { HOME: join(dir, '..'), ANODE_DATA_DIR: data, PATH: String(process.env.PATH) }
  const terminal = openTerminal('bash --norc --noprofile -i', { cwd: dir, env })
  await terminal.until(/[$#] ?$/m)
  terminal.paste(`ulimit -c 0; { ${line}; echo $? > ../code; } &`)
  terminal.press('Enter')
  if (typeof begun === 'string') await untilRuns(begun)
  else await terminal.until(begun)
  terminal.paste('exit')
  terminal.press('Enter')
  await terminal.exit()
  const code = () =>
    existsSync(join(dir, '../code')) ? readFileSync(join(dir, '../code'), 'utf8').trim() : ''
  return async () => {
    await expect.poll(code, { timeout: 60_000 }).not.toBe('')
    return Number(code())
  }
}

const lastEnd = async (world: World) => {
  const { out } = await world.anode(['threads', 'show', 'last', '--json'])
  return JSON.parse(out.trim().split('\n').at(-1) ?? '') as { type: string; payload: object }
}

it('a run ends as interrupted, and continues when it is resumed', async () => {
  const { mark, replies } = openMark()
  const world = openScreenWorld(replies)
  const words = ['execute', ...world.model, '--approval', 'unrestricted']
  const untilEnd = await loseTerminal(world, anodeLine(...words, 'go'), mark)
  expect(await untilEnd()).toBe(129)
  expect(processesWith(mark)).toEqual([])
  expect(await lastEnd(world)).toMatchObject({ type: 'run.ended', payload: { end: 'cancelled' } })
  world.put('../replies.jsonl', '{"text":"All is done."}\n')
  const again = await world.anode([...words, '--resume', 'last', '--quiet'])
  expect(again).toMatchObject({ code: 0, out: 'All is done.\n' })
})

it('a run that prints nothing on the terminal ends as without a terminal', async () => {
  const { mark, replies } = openMark()
  const world = openScreenWorld(replies)
  const words = ['execute', ...world.model, '--approval', 'unrestricted', '--quiet', 'go']
  const untilEnd = await loseTerminal(world, `${anodeLine(...words)} > ../out 2> ../err`, mark)
  world.put('go', '')
  expect(await untilEnd()).toBe(0)
  expect(readFileSync(join(world.dir, '../out'), 'utf8')).toBe('All is done.\n')
  expect(readFileSync(join(world.dir, '../err'), 'utf8')).toBe('')
})

it('a study is paused', async () => {
  const world = openScreenWorld([{ text: 'Nothing yet.', delay_ms: 600_000 }])
  world.put('lock.md', 'The store locks files with O_EXCL.\n')
  world.put('../plan.json', JSON.stringify({ tasks: [{ objective: 'locks' }] }))
  const words = ['study', 'what of locks?', '--plan', '../plan.json', ...world.model]
  const untilEnd = await loseTerminal(world, anodeLine(...words), /\d s\b/)
  expect(await untilEnd()).toBe(129)
  expect((await world.anode(['study', 'status', 'last'])).out).toContain('paused')
})

it('a build is stopped', async () => {
  const mark = `mark-${Math.random()}`
  const world = buildWorld(['a'])
  onTestFinished(() => world.remove())
  world.put('../plan.json', planText([renameTask('a', { run: long(mark) })]))
  const untilEnd = await loseTerminal(world, anodeLine('build', '--plan', '../plan.json', '--yes'), mark)
  expect(await untilEnd()).toBe(129)
  expect(processesWith(mark)).toEqual([])
  expect(await readStatus(world)).toMatchObject({ status: 'stopped' })
})

/** Runs a line of bash in a world, with the exit code of the first program of a pipe as the last line. */
const pipeLine = async ({ dir, data }: World, line: string) => {
  const env = { HOME: join(dir, '..'), ANODE_DATA_DIR: data, PATH: String(process.env.PATH) }
  const whole = `exec < /dev/null; ${line}; echo "exit ${'$'}{PIPESTATUS[0]}"`
  return promisify(execFile)('bash', ['-c', whole], { cwd: dir, env, timeout: 60_000 })
}

it.each([
  ['standard output', ['--stream-json'], '| head -1'],
  ['standard error', [], '2>&1 | head -1'],
  ['standard output with a note on standard error', ['--stream-json'], '2> ../err | head -1'],
])('a run whose reader of %s has gone ends as interrupted, and continues', async (_, flags, pipe) => {
  // Each call prints, because a closed pipe is noticed only when something is written.
  const call = (i: number) => ({ calls: [{ name: 'bash', args: { command: `sleep 0.2; echo ${i}` } }] })
  const world = openScreenWorld(Array.from({ length: 60 }, (_, i) => call(i)))
  const words = ['execute', ...world.model, '--approval', 'unrestricted']
  const { stdout } = await pipeLine(world, `${anodeLine(...words, ...flags, 'go')} ${pipe}`)
  expect(stdout).toMatch(/^.+\nexit 0\n$/)
  expect(await lastEnd(world)).toMatchObject({ type: 'run.ended', payload: { end: 'cancelled' } })
  world.put('../replies.jsonl', '{"text":"All is done."}\n')
  const again = await world.anode([...words, '--resume', 'last', '--quiet'])
  expect(again).toMatchObject({ code: 0, out: 'All is done.\n' })
})

it.each([
  ['runs', 'list'],
  ['threads', 'list'],
  ['tools', 'list'],
  ['models', 'list'],
  ['tools', 'show', 'bash', '--json'],
  ['threads', 'show', 'last', '--json'],
  ['manual', 'session'],
])('anode %s %s ends quietly when the reader of its output has gone', async (...words) => {
  const world = openScreenWorld([{ text: 'All is done.' }])
  await world.anode(['execute', ...world.model, 'go'])
  const none = await pipeLine(world, `${anodeLine(...words)} | true`)
  expect(none.stdout).toBe('exit 0\n')
  // An empty list of runs names the command that starts one.
  expect(none.stderr).toMatch(/^(?:No runs here yet.*\n)?$/)
  const one = await pipeLine(world, `${anodeLine(...words)} | head -1`)
  expect(one.stdout).toMatch(/^(?:.*\n)?exit 0\n$/)
  expect(one.stderr).toMatch(/^(?:No runs here yet.*\n)?$/)
})

it('a window that closes sends SIGHUP twice, and the end of the run is stored', async () => {
  const { mark, replies } = openMark()
  const world = openScreenWorld(replies)
  const { program, exit } = world.start(['execute', ...world.model, '--approval', 'unrestricted', 'go'])
  await untilRuns(mark)
  for (let i = 0; i < 100 && processesWith(mark).length > 0; i++) {
    program.kill('SIGHUP')
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await exit).toBe(129)
  expect(await lastEnd(world)).toMatchObject({ type: 'run.ended', payload: { end: 'cancelled' } })
})
