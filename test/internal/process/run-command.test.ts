// One command and its outcome: output, exit, limits on time and memory.
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ChildOwner } from '../../../internal/process/child-owner.ts'
import { folderSandbox } from '../../../internal/tool-support/command-sandbox.ts'
import { bash, processesWith, runnerIn, scratch } from './scratch.ts'

test('captures both streams, separately and in order, with the exit code', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir)
  const got = await run(bash('echo a; sleep 0.05; echo b >&2; sleep 0.05; echo c; exit 3', dir))
  expect(got).toMatchObject({ exit: 3, signal: null, ended: undefined, leaked: 0, whole: undefined })
  expect(got.stdout).toEqual({ bytes: 4, text: 'a\nc\n', cut: false, invalid: false })
  expect(got.stderr.text).toBe('b\n')
  expect(got.combined.text).toBe('a\nb\nc\n')
})

test('reports the signal that ended a command', async () => {
  const dir = scratch()
  expect(await runnerIn(dir).run(bash('kill -SEGV $$', dir))).toMatchObject({ exit: null, signal: 'SIGSEGV' })
})

test('a timeout ends all processes of a command and keeps its output', async () => {
  const dir = scratch()
  const got = await runnerIn(dir).run(bash('echo before; sleep 60 & sleep 60', dir, { timeoutMs: 2_000 }))
  expect(got).toMatchObject({ exit: null, signal: 'SIGTERM', ended: 'timeout' })
  expect(got.stdout.text).toBe('before\n')
})

test('an abort ends a command, and an earlier abort starts nothing', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir)
  const abort = new AbortController()
  const going = run(bash('echo up; sleep 60', dir, { signal: abort.signal, onOutput: () => abort.abort() }))
  expect(await going).toMatchObject({ ended: 'cancelled', signal: 'SIGTERM' })
  expect(await run(bash('touch started', dir, { signal: abort.signal }))).toMatchObject({
    ended: 'cancelled',
    ms: 0,
  })
  expect(existsSync(join(dir, 'started'))).toBe(false)
})

test('keeps head and tail in memory and the whole output in a file that the runner removes', async () => {
  const dir = scratch()
  const runner = runnerIn(dir)
  const got = await runner.run(bash('seq 1 100000', dir, { keepBytes: 1000, whole: true }))
  expect(got.stdout).toMatchObject({ bytes: 588895, cut: true })
  expect(got.stdout.text).toMatch(/^1\n2\n[\s\S]*bytes left out …\n[\s\S]*\n100000\n$/)
  let whole = ''
  for await (const part of got.whole?.text() ?? []) whole += part
  expect(whole).toBe(Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join(''))
  await runner.close()
  expect(readdirSync(join(dir, 'run'))).toEqual([])
})

test('a program declared as childless gets no named pipes, and still ends with its processes', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir)
  const got = await run(bash('printf %0300000d 0; echo err >&2; exit 4', dir, { childless: true }))
  expect(got).toMatchObject({ exit: 4, leaked: 0 })
  expect(got.stdout.bytes).toBe(300_000)
  expect(got.stderr.text).toBe('err\n')
  const [place] = readdirSync(join(dir, 'run'))
  expect(readdirSync(join(dir, 'run', place as string)).filter((name) => name.startsWith('pipe.'))).toEqual(
    [],
  )
  const late = await run(bash('sleep 60 & sleep 60', dir, { childless: true, timeoutMs: 150 }))
  expect(late).toMatchObject({ ended: 'timeout', exit: null })
})

// The runner as a resource: made of nothing, shared by many commands, closed without a trace.

test('many commands at once do not affect each other', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir)
  const outs = await Promise.all(
    Array.from({ length: 40 }, (_, i) => run(bash(`echo ${i}; echo ${i} >&2`, dir))),
  )
  expect(outs.map((one) => one.combined.text.trim().split('\n'))).toEqual(
    Array.from({ length: 40 }, (_, i) => [`${i}`, `${i}`]),
  )
})

test('close cancels running commands and leaves no file and no process', async () => {
  const dir = scratch()
  const runner = runnerIn(dir)
  const going = runner.run(bash('echo up; sleep 60', dir))
  await runner.run(bash('true', dir))
  await runner.close()
  expect(await going).toMatchObject({ ended: 'cancelled' })
  expect(readdirSync(join(dir, 'run'))).toEqual([])
  expect(processesWith(dir)).toEqual([])
  expect(await runner.run(bash('true', dir))).toMatchObject({ ended: 'cancelled', exit: null })
})

test('creates no files before the first command', async () => {
  const dir = scratch()
  const runner = runnerIn(dir)
  await runner.close()
  expect(readdirSync(dir)).toEqual([])
})

test('runners that share an owner share one watchdog, and no temporary directory', async () => {
  const dir = scratch()
  const owner = new ChildOwner(dir)
  onTestFinished(() => owner.close())
  const places: (string | undefined)[] = []
  const open = () =>
    runnerIn(dir, {
      owner,
      sandbox: async (plan, { directory, temporary }) => {
        const own = join(directory, temporary ?? '')
        mkdirSync(own, { recursive: true })
        places.push(own)
        return { plan, leave: async () => ({ refused: [] }) }
      },
    })
  const runners = [open(), open(), open()]
  const command = bash('echo x', dir, { sandbox: folderSandbox(dir) })
  for (const { run } of [...runners, ...runners]) expect(await run(command)).toMatchObject({ exit: 0 })
  expect(places.slice(3)).toEqual(places.slice(0, 3))
  expect(new Set(places).size).toBe(3)
  const [directory = ''] = readdirSync(join(dir, 'run')).map((name) => join(dir, 'run', name))
  expect(readdirSync(join(dir, 'run'))).toHaveLength(1)
  expect(processesWith(directory)).toHaveLength(1)
  await runners[0]?.close()
  expect(places.slice(0, 3).map((path) => existsSync(path ?? ''))).toEqual([false, true, true])
  expect(await runners[1]?.run(command)).toMatchObject({ exit: 0 })
  await owner.close()
  expect(readdirSync(join(dir, 'run'))).toEqual([])
  expect(processesWith(directory)).toEqual([])
})

test('a runner that closes ends its own commands, and not those of a runner with the same owner', async () => {
  const dir = scratch()
  const owner = new ChildOwner(dir)
  onTestFinished(() => owner.close())
  const [one, other] = [runnerIn(dir, { owner }), runnerIn(dir, { owner })]
  const cut = one.run(bash('sleep 60 & sleep 60', dir))
  await one.run(bash('mkfifo gate', dir))
  const kept = other.run(bash('read -r line < gate; echo "$line"', dir))
  await one.close()
  expect(await cut).toMatchObject({ ended: 'cancelled' })
  await other.run(bash('echo open > gate', dir))
  expect((await kept).combined.text).toBe('open\n')
})
