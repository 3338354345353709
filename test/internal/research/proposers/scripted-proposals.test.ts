import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readScriptFile } from '../../../../internal/research/proposers/scripted-proposals.ts'
import { plant, scratch } from '../../../support/scratch.ts'

function load(value: unknown) {
  const dir = scratch()
  plant(dir, { 'steps.json': JSON.stringify(value) })
  return readScriptFile(join(dir, 'steps.json'), 'steps.json')
}

describe('readScript', () => {
  it('numbers the steps and names those without words', () => {
    const edits = [{ file: 'a', text: 'x' }]
    expect(
      load([
        { description: 'first', edits },
        { description: ' ', edits, asi: { idea: 1 } },
      ]),
    ).toEqual([
      { description: 'first', edits, asi: { step: 1 } },
      { description: 'step 2', edits, asi: { idea: 1, step: 2 } },
    ])
  })

  it.each([
    [{ description: 'x' }],
    [[{ description: 'x', edits: [{ file: 'a' }] }]],
    [[{ description: 'x', edits: [{ file: 'a', from: '', to: 'b' }] }]],
    [[{ description: 'x', edits: [{ file: 'a', text: 'b', mode: 7 }] }]],
  ])('rejects %j', (value) => expect(() => load(value)).toThrow('steps.json cannot be used'))
})
