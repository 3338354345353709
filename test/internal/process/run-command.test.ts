// One command and its outcome: output, exit, limits on time and memory.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, runnerIn, scratch } from './scratch.ts'

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
