import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { drawProposals, proposalText, readKnobFile } from '../../../../internal/research/proposers/knobs.ts'
import { plant, scratch } from '../../../support/scratch.ts'

const gcc = {
  file: 'flags.txt',
  template: '{opt} {extra}',
  knobs: { opt: ['-O1', '-O2', '-O3', '-Os'], extra: ['', '-funroll-loops', '-ffast-math'] },
}

function load(value: unknown) {
  const dir = scratch()
  plant(dir, { 'policy.json': typeof value === 'string' ? value : JSON.stringify(value) })
  return () => readKnobFile(join(dir, 'policy.json'), '.auto/policy.json')
}

describe('draws', () => {
  it('draws every combination once', () => {
    const drawn = [...drawProposals(gcc, 7)]
    expect(new Set(drawn.map(proposalText)).size).toBe(12)
    expect(drawn).toHaveLength(12)
    expect(drawn.map(proposalText).sort()[0]).toBe('-O1\n')
  })

  it('draws the same order for the same seed and another for another seed', () => {
    const order = (seed: number) => [...drawProposals(gcc, seed)].map(proposalText)
    expect(order(7)).toEqual(order(7))
    expect(order(7)).not.toEqual(order(8))
  })

  it('describes a short text by itself and a long one by its knobs', () => {
    expect([...drawProposals(gcc, 1)].map((one) => one.description)).toContain('-O2 -funroll-loops')
    const long = { file: 'a', template: `${'x'.repeat(60)}{n}`, knobs: { n: [1, true] } }
    expect([...drawProposals(long, 1)].map((one) => one.description).sort()).toEqual(['n=1', 'n=true'])
  })

  it('draws a value that is listed several times earlier, and each text still once', () => {
    const weighed = { file: 'a', template: '{m}{n}', knobs: { m: ['d', 'd', 'd', 'b'], n: [1, 2, 3, 4] } }
    let first = 0
    for (let seed = 0; seed < 200; seed++) {
      const texts = [...drawProposals(weighed, seed)].map(proposalText)
      expect(texts).toHaveLength(8)
      if (texts[0]?.startsWith('d')) first++
    }
    expect(first).toBeGreaterThan(120)
  })

  it('is fast in a large space', () => {
    const values = Array.from({ length: 32 }, (_, i) => i)
    const large = { file: 'a', template: '{a}{b}{c}', knobs: { a: values, b: values, c: values } }
    const seen = new Set<string>()
    for (const proposal of drawProposals(large, 1)) {
      seen.add(proposalText(proposal))
      if (seen.size === 100) break
    }
    expect(seen.size).toBe(100)
  })
})

describe('readKnobs', () => {
  it('reads a policy', () => expect(load(gcc)()).toEqual(gcc))

  it.each([
    ['no JSON', '{', /is not JSON/],
    ['no file', { ...gcc, file: '' }, /at file/],
    ['another key', { ...gcc, files: 'x' }, /unknown key files/],
    [
      'an empty knob',
      { ...gcc, knobs: { ...gcc.knobs, opt: [] } },
      /knobs\.opt: must have at least one value/,
    ],
    ['an idle knob', { ...gcc, template: '{opt}' }, /does not mention \{extra\}/],
    ['an unknown knob', { ...gcc, template: '{opt} {extra} {more}' }, /unknown knob "more" in the template/],
    [
      'too many combinations',
      {
        file: 'a',
        template: 'abcdefg'.replace(/./g, '{$&}'),
        knobs: Object.fromEntries(
          [...'abcdefg'].map((name) => [name, Array.from({ length: 32 }, (_, i) => i)]),
        ),
      },
      /more than 2\^32/,
    ],
  ])('rejects %s', (_, value, message) => expect(load(value)).toThrow(message))

  it('reports a missing policy file', () => {
    expect(() => readKnobFile('/nonexistent/policy.json', '.auto/policy.json')).toThrow(
      '.auto/policy.json is not there',
    )
  })
})
