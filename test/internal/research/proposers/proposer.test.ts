import { expect, it } from 'vitest'
import {
  type Proposer,
  randomProposer,
  scriptedProposer,
} from '../../../../internal/research/proposers/proposer.ts'
import { scratch } from '../../../support/scratch.ts'
import { header, run, stateOf } from '../report/sample.ts'

async function all(policy: Proposer, asi: Record<string, unknown>[] = []): Promise<string[]> {
  const state = stateOf([header, ...asi.map((one, i) => run(i + 1, { asi: one }))])
  const found: string[] = []
  const signal = new AbortController().signal
  for (let draft = await policy.next(state); draft; draft = await policy.next(state)) {
    const { description, failed } = await draft.make(scratch(), signal)
    found.push(failed ? `${description}: ${failed.kind}` : description)
  }
  return found
}

const knobs = { file: 'a', template: '{n}', knobs: { n: [1, 2, 3] } }

it('random passes over what the ledger has seen', async () => {
  expect((await all(randomProposer(knobs, 1))).sort()).toEqual(['1', '2', '3'])
  expect((await all(randomProposer(knobs, 1), [{ knobs: { n: 2 } }])).sort()).toEqual(['1', '3'])
})

it('scripted takes its steps once, also in a later call', async () => {
  const script = [1, 2, 3].map((step) => ({ description: `s${step}`, edits: [], asi: { step } }))
  expect(await all(scriptedProposer(script))).toEqual(['s1', 's2', 's3'])
  expect(await all(scriptedProposer(script), [{ step: 1 }, { step: 2 }])).toEqual(['s3'])
})

it('says when edits do not fit, and continues', async () => {
  const edits = ['../x', '', 'new/', 'a/b'].map((file) => [
    { file: 'a', text: '' },
    { file, text: '' },
  ])
  const script = edits.map((edit, i) => ({ description: `s${i}`, edits: edit, asi: { step: i } }))
  expect(await all(scriptedProposer(script))).toEqual(['s0: fit', 's1: fit', 's2: fit', 's3: fit'])
  expect(await all(randomProposer({ ...knobs, file: 'new/' }, 1))).toHaveLength(3)
})
