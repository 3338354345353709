// Checks when two statements contradict each other.
import { describe, expect, it, test } from 'vitest'
import { findContradictions, findContradictoryPairs } from '../../../internal/text-analysis/contradictions.ts'
import { claim } from '../../support/study.ts'

const pairs: [string, string, boolean][] = [
  ['The lease lasts 30 seconds.', 'The lease lasts 45 seconds.', true],
  ['The lease lasts 30 seconds.', 'The lease lasts 30 seconds.', false],
  ['The lease lasts 1,000 ms.', 'The lease lasts 1000 ms.', false],
  ['The lease lasts long.', 'The lease lasts 30 seconds.', false],
  ['The store locks files.', 'The store does not lock files.', true],
  ['The store locks files.', "The store doesn't lock files.", true],
  ['It never waits.', 'It cannot wait.', false],
  ['Read notes on nothing.', 'Read notes.', false],
  ['Uses sha256 here.', 'Uses sha512 here.', false],
  ['The lease lasts 30 seconds.', 'The lease lasts 30 s.', false],
  ['The lease is renewed 3 times in 30 seconds.', 'The lease is renewed in 10 ms.', false],
  ['maxclients 10000', 'maxclients 500', true],
  ['leaseMs = 45_000', 'leaseMs: 45000', false],
  ['port: 1', 'retries: 2', false],
  ['The default of syncInterval is 1 second.', 'The default of snapshotInterval is 24 seconds.', false],
  ['The default of syncInterval is 1 second.', 'The default of syncInterval is 24 seconds.', true],
  ['With Redis the lease lasts 30 seconds.', 'With Postgres the lease lasts 45 seconds.', false],
  ['With Redis the lease lasts 30 seconds.', 'With Redis the lease lasts 45 seconds.', true],
  ['With Redis the lease lasts 30 seconds.', 'The lease lasts 45 seconds.', true],
  ['It compresses at level 3 for batches.', 'It compresses at level 9 for batches.', true],
  [
    'The ferry authenticates to the collector with a client certificate.',
    'The collector authenticates each ferry by its client certificate and knows no shared secrets.',
    false,
  ],
]
test.each(pairs)('%s / %s', (a, b, expected) => {
  expect(findContradictoryPairs([a, b])).toEqual(expected ? [[0, 1]] : [])
  expect(findContradictoryPairs([b, a])).toEqual(expected ? [[0, 1]] : [])
})

test('statements about different things do not contradict each other', () => {
  const statements = [
    'The default lease lasts 30 seconds.',
    'The lease lasts 45 seconds by default.',
    'The journal keeps 30 entries.',
    'The journal never keeps entries.',
  ]
  expect(findContradictoryPairs(statements)).toEqual([
    [0, 1],
    [2, 3],
  ])
})

test('two blocks contradict each other if one sentence of each does', () => {
  const long = (seconds: number) =>
    `# Leases\n\nA worker takes a lease before it writes anything.\nThe lease of a worker lasts ${seconds} seconds and is\nrenewed by its owner.\n\nA journal is kept for ${seconds + 1} days.`
  expect(findContradictoryPairs([long(30), long(45)])).toEqual([[0, 1]])
  expect(findContradictoryPairs([long(30), `Another worker reads.\n${long(30)}`])).toEqual([])
})

test('a word that all statements contain does not make two of them contradict', () => {
  const texts = [
    'The server waits 3 seconds.',
    'The server sleeps 4 seconds.',
    'A server stops in 5 seconds.',
    'A server dies after 6 seconds.',
  ]
  expect(findContradictoryPairs(texts)).toEqual([])
})

describe('a setting in code belongs to the lines that it is indented below', () => {
  const callOf = (owner: string, value: number, indent: string) =>
    `${owner}({\n${indent}retry: {\n${indent}${indent}limit: ${value},\n${indent}},\n})`
  const owners = ['openClient', 'const json = await request', "test('hooks get the count', async () => send"]

  it.each(['\t', '  ', '    '])('indented by %j', (indent) => {
    for (const a of owners)
      for (const b of owners) {
        const pairs = findContradictoryPairs([callOf(a, 3, indent), callOf(b, 2, indent)])
        expect(pairs, `${a} / ${b}`).toEqual(a === b ? [[0, 1]] : [])
      }
  })

  it('and one without such lines to the file', () => {
    expect(findContradictoryPairs(['limit: 3', 'limit: 2'])).toEqual([[0, 1]])
  })
})

describe('functions of different names do not contradict each other', () => {
  const forms: readonly ((name: string, seconds: number) => string)[] = [
    (name, n) =>
      `@retry(wait=${name}(${n}))\ndef run_${name}():\n` +
      `    print("Wait ${n} seconds between retries")\n    raise Exception`,
    (name, n) => `@retry(wait=${name}(min=1, max=${n}))`,
    (name, n) => `function ${name}() {\n  log('waits ${n} seconds between retries')\n  return next()\n}`,
    (name, n) => `await ${name}(\n  read(path),\n  (wait) => wait + ${n},\n)`,
  ]

  it.each(forms)('%s', (form) => {
    const texts = [form('wait_fixed', 2), form('wait_random', 60)]
    expect(findContradictoryPairs(texts)).toEqual([])
  })

  it('but statements around them do', () => {
    const text = (n: number) =>
      `The lease of a worker lasts ${n} seconds and\nis renewed.\n\nrenew_lease(\n  worker,\n)\n`
    expect(findContradictoryPairs([text(30), text(45)])).toEqual([[0, 1]])
  })
})

const foundClaims = (...claims: ReturnType<typeof claim>[]) =>
  findContradictions(claims).map(([a, b]) => `${a.id} ${b.id}`)

it.each([
  ['other numbers', 'the retry limit of the queue is 5', 'the retry limit of the queue is 8', {}, true],
  ['a denial', 'the queue keeps its order', 'the queue never keeps its order', {}, true],
  ['the other stance', 'the queue keeps its order', 'the queue keeps its order', { stance: 'refutes' }, true],
  ['the same', 'the queue keeps its order', 'the queue keeps the order', {}, false],
  ['another subject', 'the retry limit is 5', 'the port of the server is 8', {}, false],
] as const)('claims of %s', (_, a, b, over, expected) => {
  expect(foundClaims(claim('C1.1', a), claim('C2.1', b, over))).toEqual(expected ? ['C1.1 C2.1'] : [])
})
