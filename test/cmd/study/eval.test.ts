// A suite of one's own, run as a person runs it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type World, world } from '../../support/anode.ts'

let at: World
const fact = (id: string, text: string) => ({ id, question: 'a', stated: [{ path: 'a.md', text }] })

beforeAll(() => {
  at = world()
  at.put('corpus/a.md', 'The kiln is fired at 900 degrees.\n\nThe glaze is left to dry for two days.\n')
  at.put('corpus/b.md', '# Kilns\n\nThe kiln is fired at 950 degrees in winter.\n')
  at.put('corpus/c.md', '# Colours\n\nHow the glaze is mixed.\n')
  at.put('suite.jsonl', '{"id":"a","question":"How is the kiln fired, and how does the glaze dry?"}\n')
  const facts = [
    fact('fired', 'The kiln is fired at 900 degrees.'),
    fact('dry', 'The glaze is left to dry for two days.'),
  ]
  at.put('facts.json', JSON.stringify({ facts }))
})
afterAll(() => at.remove())

const run = (...words: string[]) =>
  at.anode(['study', 'eval', 'suite.jsonl', '--model', 'builtin/extract', ...words])

it('compares several workers with one and says what was missed', { timeout: 60_000 }, async () => {
  const { code, out, err } = await run('--repeat', '2', '--in-process')
  expect(out).toMatch(/1 questions +study +one worker/)
  expect(out).toMatch(/claim recall +1\.00 \(2 of 2\)/)
  expect(out).toMatch(/citation accuracy +1\.00/)
  expect(out).toContain('beside the point in a: C1.2 # Colours  How the glaze is mixed.')
  expect(out).not.toContain('different scores')
  expect(err).toMatch(/^1\/2 {2}1\/1 a: 2 of 2 facts/)
  expect(err).toContain('anode: claim precision is 0.50 (1 of 2), below 0.8')
  expect(code).toBe(5)
  // nothing of it stays among the studies of the person
  expect((await at.anode(['study', 'status', 'last'])).code).toBe(2)
})

it('has everything in one object for programs', { timeout: 60_000 }, async () => {
  const { code, out, err } = await run('--json', '--quiet', '--min-precision', '0.5')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out)).toMatchObject({
    study: { facts: 2, found: 2, obeyed: 0 },
    questions: [{ id: 'a' }],
    stable: true,
    shortfalls: [],
  })
})

it.each([
  [['missing.jsonl'], /cannot read .*missing\.jsonl/],
  [['suite.jsonl', '--repeat', '0'], /--repeat must be a whole number from 1 to 100/],
  [['suite.jsonl', '--workers', '1.5'], /--workers must be a whole number/],
])('refuses %j', async (words, expected) => {
  const { code, err } = await at.anode(['study', 'eval', ...words])
  expect(code).toBe(2)
  expect(err).toMatch(expected)
})
