// Things that are made again after they broke: a few times, not at once, and not after the end.
import { expect, onTestFinished, test, vi } from 'vitest'
import { restartProcess } from '../../../internal/process/restart.ts'
import { choice, rng } from '../../support/rng.ts'

test('starts a process on first use, and returns the same process until it breaks', async () => {
  let made = 0
  const life = restartProcess('it', async () => ++made)
  expect(life.current).toBeUndefined()
  expect(await Promise.all([life.get(), life.get()])).toEqual([1, 1])
  life.broke()
  expect(await life.get()).toBe(2)
})

test('stops restarting after three restarts, with or without success', async () => {
  let tries = 0
  const life = restartProcess('the server x', async () => {
    tries++
    if (tries % 2 === 0) throw new Error(`start ${tries}`)
    return tries
  })
  expect(await life.get()).toBe(1)
  life.broke()
  await expect(life.get()).rejects.toThrow('start 2')
  expect(await life.get()).toBe(3)
  life.broke()
  await expect(life.get()).rejects.toThrow('start 4')
  await expect(life.get()).rejects.toThrow('the server x has ended 4 times and is not started again')
  expect(tries).toBe(4)
})

test('starts nothing after the end, also for waiting callers', async () => {
  let made = 0
  const life = restartProcess('it', async () => ++made)
  await life.get()
  life.broke()
  const waiting = life.get()
  life.close()
  await expect(waiting).rejects.toThrow()
  await expect(life.get()).rejects.toThrow()
  expect(made).toBe(1)
})

/** A child that a user of the process closes, or that ends by itself. */
interface TestChild {
  n: number
  isClosed: boolean
}

/**
 * Returns a process whose starts end when the test calls `settle`, its open children, and a user of it, who
 * drops and closes an unusable child and then gets another one.
 */
function openProcess() {
  const children: TestChild[] = []
  const starts: (() => void)[] = []
  const start = () =>
    new Promise<TestChild>((resolve) => {
      starts.push(() => {
        const child = { n: children.length, isClosed: false }
        children.push(child)
        resolve(child)
      })
    })
  const life = restartProcess('it', start, Number.POSITIVE_INFINITY)
  const replace = async (child: TestChild) => {
    life.drop(child)
    child.isClosed = true
    return life.get()
  }
  return { life, children, starts, replace, settle: () => starts.shift()?.() }
}

test('does not drop a child that is starting when a child before it is dropped again', async () => {
  const { life, children, starts, replace, settle } = openProcess()
  const opening = life.get()
  settle()
  const first = await opening
  const [one, other] = [replace(first), replace(first)]
  expect(starts).toHaveLength(1)
  settle()
  expect(await one).toBe(await other)
  expect(children.filter(({ isClosed }) => !isClosed)).toEqual([await one])
})

/** Runs random calls, and returns the children that are neither closed nor the current one at the end. */
async function loseChildren(seed: number): Promise<TestChild[]> {
  const random = rng(seed)
  const { life, children, starts, replace, settle } = openProcess()
  // the children that users have got, of which several users may hold the same one
  const userChildren: TestChild[] = []
  const hold = (childPromise: Promise<TestChild>) =>
    void childPromise.then((child) => userChildren.push(child)).catch(() => undefined)
  const breakChild = (child: TestChild | undefined) => {
    // a child reports its end only if it ends by itself
    if (!child || child.isClosed) return
    child.isClosed = true
    life.broke()
  }
  const steps: (() => unknown)[] = [
    () => hold(life.get()),
    settle,
    () => userChildren.length > 0 && hold(replace(choice(random, userChildren))),
    () => vi.advanceTimersByTimeAsync(10_000),
    () => breakChild(userChildren.at(-1)),
    () => {
      // this child ends before anybody has got it
      if (starts.length === 0) return
      settle()
      breakChild(children.at(-1))
    },
  ]
  for (let i = 0; i < 40; i++) {
    await choice(random, steps)()
    await vi.advanceTimersByTimeAsync(0)
  }
  life.close()
  const { current } = life
  while (starts.length > 0) settle()
  await vi.advanceTimersByTimeAsync(10_000)
  const last = await current?.catch(() => undefined)
  return children.filter((child) => !child.isClosed && child !== last)
}

test('leaves no child open after random calls, except the current one', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  for (let seed = 0; seed < 50; seed++) expect([seed, await loseChildren(seed)]).toEqual([seed, []])
})
