// Things that are made again after they broke: a few times, not at once, and not after the end.
import { expect, test } from 'vitest'
import { restartProcess } from '../../../internal/process/restart.ts'

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
