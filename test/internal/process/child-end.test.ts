// How commands end: with time to clean up, without waiting for what they left behind.
import { expect, test } from 'vitest'
import { leastWait } from '../../support/cost.ts'
import { bash, processesWith, runnerIn, scratch } from './scratch.ts'

test('a command can clean up after SIGTERM', async () => {
  const dir = scratch()
  const got = await runnerIn(dir).run(
    bash('trap "sleep 0.3; echo cleaned; exit 7" TERM; echo up; sleep 60 & wait', dir, { timeoutMs: 2_000 }),
  )
  expect(got).toMatchObject({ exit: 7, ended: 'timeout' })
  expect(got.stdout.text).toBe('up\ncleaned\n')
})

test('a background child with an open pipe neither delays the result nor continues after it', async () => {
  const dir = scratch()
  const mark = `mark-${Math.random()}`
  const { run } = runnerIn(dir)
  const got = await run(bash(`(exec -a ${mark} sleep 60) & echo done`, dir, { timeoutMs: 20_000 }))
  expect(got).toMatchObject({ exit: 0, ended: undefined, leaked: 1 })
  expect(got.stdout.text).toBe('done\n')
  expect(processesWith(mark)).toEqual([])
})

test('a reader in a process substitution can write its last line', async () => {
  const dir = scratch()
  const { run } = runnerIn(dir)
  for (let i = 0; i < 5; i++) {
    const got = await run(bash('exec > >(sed s/a/b/); echo a', dir))
    expect(got).toMatchObject({ exit: 0, leaked: 0 })
    expect(got.stdout.text).toBe('b\n')
  }
})

const deaf = (mark: string) =>
  `trap '' TERM; (exec -a ${mark} sleep 60) & echo up; while :; do sleep 0.1; done`

test.each([
  ['before the stop', ['hurry', 'stop']],
  ['during the stop', ['stop', 'hurry']],
] as const)('ends a command that ignores TERM sooner if it is hurried %s', async (_, order) => {
  const end = async () => {
    const dir = scratch()
    const mark = `mark-${Math.random()}`
    const runner = runnerIn(dir)
    const abort = new AbortController()
    let since = 0
    const acts = { hurry: () => runner.hurry(), stop: () => abort.abort() }
    const onOutput = () => {
      since = performance.now()
      for (const act of order) acts[act]()
    }
    const { ended } = await runner.run(bash(deaf(mark), dir, { signal: abort.signal, onOutput }))
    const took = performance.now() - since
    expect(ended).toBe('cancelled')
    expect(processesWith(mark)).toEqual([])
    return took
  }
  // without the request it takes two seconds
  expect(await leastWait(1_900, end)).toBeLessThan(1_900)
})

test('lets a command clean up that is hurried', async () => {
  const dir = scratch()
  const runner = runnerIn(dir)
  const abort = new AbortController()
  const onOutput = () => {
    runner.hurry()
    abort.abort()
  }
  const script = 'trap "echo cleaned; exit 7" TERM; echo up; sleep 60 & wait'
  const got = await runner.run(bash(script, dir, { signal: abort.signal, onOutput }))
  expect(got).toMatchObject({ exit: 7, ended: 'cancelled' })
  expect(got.stdout.text).toBe('up\ncleaned\n')
})
