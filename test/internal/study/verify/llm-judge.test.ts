import { expect, it } from 'vitest'
import type { Model, ModelEvent } from '../../../../internal/model/model.ts'
import { foldStudy } from '../../../../internal/study/log/state.ts'
import { judgeClaims } from '../../../../internal/study/verify/llm-judge.ts'
import { finished, lines } from '../../../support/study.ts'

const state = () => foldStudy(lines(finished()))

/** Returns a model that answers in order and records its requests. */
function answering(...events: ModelEvent[]): Model & { asked: string[] } {
  const asked: string[] = []
  return {
    id: 'test/judge',
    kind: 'llm',
    window: 1000,
    asked,
    async *stream(request) {
      asked.push(String(request.messages.at(-1)?.content))
      yield events[asked.length - 1] as ModelEvent
      yield { type: 'end', reason: 'stop' }
    },
  }
}

const text = (said: string): ModelEvent => ({ type: 'text', text: said })
const never = new AbortController().signal

it('reads opinions, and ignores everything else', async () => {
  const model = answering(
    text('so: {"opinion": "supported", "why": "it says so"}'),
    text('{"opinion": "maybe"}'),
    text('yes'),
  )
  expect(await judgeClaims(state(), model, 9, never)).toEqual([
    { claim: 'C1.1', opinion: 'supported', why: 'it says so' },
    { claim: 'C1.2', opinion: 'unclear', why: '' },
    { claim: 'C2.1', opinion: 'unclear', why: 'the reply was no JSON object' },
  ])
  expect(model.asked[0]).toContain(
    '<passage>\nintro\nThe store takes its lock with O_EXCL within 5 seconds.\noutro\n',
  )
})

it('has no opinion when the model fails', async () => {
  const model = answering({ type: 'failure', failure: { kind: 'server', message: '503' } })
  expect(await judgeClaims(state(), model, 1, never)).toMatchObject([{ opinion: 'unclear', why: '503' }])
})

it('draws the same sample for the same study, another one for another seed', async () => {
  const drawn = async (seed: number) => {
    const other = state()
    other.head.seed = seed
    const yes = text('{"opinion":"supported"}')
    return (await judgeClaims(other, answering(yes, yes), 1, never)).map(({ claim }) => claim).join()
  }
  expect(await drawn(1)).toBe(await drawn(1))
  expect(new Set(await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(drawn))).size).toBeGreaterThan(1)
})

it('stops when the signal aborts', async () => {
  expect(await judgeClaims(state(), answering(), 3, AbortSignal.abort())).toEqual([])
})
