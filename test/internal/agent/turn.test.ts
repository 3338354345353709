// A turn: its response, and a model that fails or is cancelled.
import { expect, test } from 'vitest'
import { streamTurn } from '../../../internal/agent/turn.ts'
import type { Model, ModelEvent } from '../../../internal/model/model.ts'

const { signal } = new AbortController()
const request = { messages: [], tools: [] }

/** Returns a model that records when it was asked, when it answered and when it was left. */
function noting(order: string[], replies: readonly ModelEvent[] = [{ type: 'text', text: 'hello' }]): Model {
  return {
    id: 'test/noting',
    async *stream() {
      order.push('request')
      try {
        for (const event of replies) yield event
        yield { type: 'end', reason: 'stop' }
      } finally {
        order.push('left')
      }
    },
  } as unknown as Model
}

async function all(run: AsyncGenerator<unknown, unknown>, order: string[]) {
  for (;;) {
    const step = await run.next()
    if (step.done) return step.value
    order.push('used')
  }
}

test('streams a response and returns it in full', async () => {
  const order: string[] = []
  const reply = await all(streamTurn(noting(order), request, signal), order)
  expect(order).toEqual(['request', 'used', 'left'])
  expect(reply).toMatchObject({ text: 'hello', end: 'stop' })
})

test('an exception of the model becomes an error of the turn', async () => {
  const broken = {
    // biome-ignore lint/correctness/useYield: it breaks before it says anything
    async *stream(): AsyncGenerator<ModelEvent> {
      throw new Error('no network')
    },
  } as unknown as Model
  await expect(all(streamTurn(broken, request, signal), [])).rejects.toThrow('no network')
})

test('a consumer that stops reading closes the request', async () => {
  const order: string[] = []
  const run = streamTurn(noting(order), request, signal)
  await run.next()
  await run.return({} as never)
  expect(order).toEqual(['request', 'left'])
})
