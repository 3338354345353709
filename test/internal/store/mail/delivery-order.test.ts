// The order of messages, against the rule said in another way, on random queues.
import { expect, test } from 'vitest'
import { mergeQueues, type WaitingMessage } from '../../../../internal/store/mail/receive.ts'

const types = ['error', 'question', 'result', 'status', 'broadcast'] as const

/** Returns a small generator of numbers in [0, 1), with the same sequence for the same seed. */
function random(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

test('delivers the messages of each sender in order, and the most important message among senders first', () => {
  const seed = Number(process.env['SEED'] ?? 42)
  const next = random(seed)
  for (let round = 0; round < 200; round++) {
    const queues: WaitingMessage[][] = Array.from({ length: 1 + Math.floor(next() * 5) }, () => [])
    for (let n = 1; n <= 30; n++) {
      const type = types[Math.floor(next() * 5)] as WaitingMessage['type']
      queues[Math.floor(next() * queues.length)]?.push({ n, message: `m${n}`, type })
    }
    const merged = mergeQueues(queues, 100)
    expect(merged, `seed ${seed} round ${round}`).toHaveLength(30)
    const rest = queues.map((queue) => [...queue])
    for (const taken of merged) {
      const heads = rest.flatMap((queue) => queue.slice(0, 1))
      const weight = ({ type, n }: WaitingMessage) => types.indexOf(type) * 1000 + n
      expect(weight(taken), `seed ${seed} round ${round}`).toBe(Math.min(...heads.map(weight)))
      rest.find((queue) => queue[0] === taken)?.shift()
    }
    expect(mergeQueues(queues, 7)).toEqual(merged.slice(0, 7))
  }
})
