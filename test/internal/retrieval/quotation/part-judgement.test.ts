// Ends of searches by their best single quote: values of every kind, near, far and missing; scattered words.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findPassages } from '../../../../internal/retrieval/find-passages.ts'
import { kindNames, readAskedKind } from '../../../../internal/retrieval/quotation/asked-kind.ts'
import { scratchWith } from '../../../support/scratch.ts'

async function search(files: Record<string, string>, question: string) {
  const dir = scratchWith(files)
  const list = Object.keys(files).map((path) => ({ path, real: join(dir, path) }))
  return findPassages({ files: list, question, limit: 8, signal: new AbortController().signal })
}

const kinds = [
  {
    ask: 'How many harvesters may the depot hold',
    tell: (value: string) => `The depot holds ${value} harvesters.`,
    values: ['12', 'at most 4', 'twenty', '1,200'],
    missing: 'enough',
  },
  {
    ask: 'How long does the depot keep a harvester',
    tell: (value: string) => `The depot keeps a harvester ${value}.`,
    values: ['for 3 days', 'for one week', 'forever', 'for 90 s'],
    missing: 'as needed',
  },
  {
    ask: 'On which port does the depot greet harvesters',
    tell: (value: string) => `The depot greets harvesters on ${value}.`,
    values: ['port 8080', 'port 1'],
    missing: 'the port of the house',
  },
  {
    ask: 'What is the default of the depot harvester',
    tell: (value: string) => `The default of the depot harvester is ${value}.`,
    values: ['`slow`', '"slow"', 'true', '17', 'SLOW_MODE'],
    missing: 'good enough',
  },
  {
    ask: 'Which error does a broken harvester in the depot give',
    tell: (value: string) => `A broken harvester in the depot gives ${value}.`,
    values: ['BoomError', 'ENOENT', 'status 503', 'ErrBroken'],
    missing: 'nothing useful',
  },
  {
    ask: 'Which signal stops the harvester of the depot',
    tell: (value: string) => `The harvester of the depot stops on the signal ${value}.`,
    values: ['SIGTERM', 'USR1'],
    missing: 'of the master',
  },
  {
    ask: 'Which version of the harvester does the depot need',
    tell: (value: string) => `The depot needs the harvester in version ${value}.`,
    values: ['1.2', 'v3', '>= 20'],
    missing: 'as delivered',
  },
  {
    ask: 'Which states can the harvester of a depot have',
    tell: (value: string) => `The state of the harvester of a depot is ${value}.`,
    values: ['parked, driving, idle', 'parked or driving', '`parked` | `driving`'],
    missing: 'parked',
  },
]
const filler = 'Here begins some other text without any of it, in calm sentences about the weather. '
const rows = kinds.flatMap((kind) => kind.values.map((value) => ({ ...kind, value })))

test.each(rows)('$ask: $value', async ({ ask, tell, value, missing }) => {
  const kind = readAskedKind(ask)
  if (kind === undefined) throw new Error(`no kind: ${ask}`)
  const near = await search({ 'a.md': `${tell(value)}\n` }, `${ask}?`)
  expect(near.coverage).toMatchObject({ verdict: 'found' })
  expect(near.coverage.gaps).toBeUndefined()
  const without = await search({ 'a.md': `${tell(missing)}\n` }, `${ask}?`)
  expect(without.coverage).toMatchObject({
    verdict: 'partial',
    gaps: [`no quote gives ${kindNames[kind]} for: ${ask}`],
  })
  const far = await search({ 'a.md': `${tell(missing)} ${filler.repeat(4)} There is ${value}.\n` }, `${ask}?`)
  expect(far.coverage.verdict).toBe('partial')
})

test('each part has its own end, and six quotes together do not answer one part', async () => {
  const files = {
    'a.md': `The harvester waits. ${filler.repeat(5)}\n`,
    'b.md': `A depot closes. ${filler.repeat(5)}\n`,
    'c.md': `Some journal is odd. ${filler.repeat(5)}\n`,
  }
  const { coverage } = await search(files, 'Why does the harvester journal of the depot break?')
  expect(coverage).toMatchObject({ verdict: 'partial' })
  expect(coverage.gaps).toEqual([expect.stringMatching(/^the words are apart: \w+ \([abc]\.md:1\), \w+ \(/)])
})

test.each([
  ['the title of its section', { 'a.md': '# Harvesters\n\nThe depot keeps them for 3 days.\n' }, 'found'],
  ['a synonym', { 'a.md': 'The depot retains a harvester for 3 days.\n' }, 'found'],
  ['a test only', { 'test/a.test.js': '// the depot keeps a harvester for 3 days\n' }, 'partial'],
  ['a change log only', { 'CHANGELOG.md': 'The depot keeps a harvester for 3 days.\n' }, 'partial'],
] as const)('words in %s', async (_, files, verdict) => {
  const { coverage } = await search({ ...files }, 'How long does the depot keep a harvester?')
  expect(coverage.verdict).toBe(verdict)
})

test.each(['what does it shield', 'what can it shield', 'what do they shield'])(
  '%s: only a text with the name before it answers',
  async (part) => {
    const code = (comment: string) => `/** ${comment} */\nexport function parkHarvester() {}\n`
    const other = { 'b.md': '# House\n\nThe threads of a curtain shield the window.\n' }
    const question = `Where is parkHarvester defined, and ${part}?`
    const without = await search({ 'a.ts': code('Parks.'), ...other }, question)
    expect(without.coverage).toMatchObject({ verdict: 'partial', open: [part] })
    const near = await search({ 'a.ts': code('Threads shield the depot.'), ...other }, question)
    expect(near.coverage).toMatchObject({ verdict: 'found' })
  },
)

test('an old entry of a change log does not say which version is required', async () => {
  const files = {
    'CHANGELOG.md': '# Changes\n\n## 1.5\n\nThe depot requires the harvester in version 1.2.\n',
  }
  const question = 'Which harvester version does the depot require?'
  expect((await search(files, question)).coverage.verdict).toBe('partial')
  const now = { 'README.md': '# Depot\n\nThe depot requires the harvester in version 1.4.\n' }
  expect((await search({ ...files, ...now }, question)).coverage.verdict).toBe('found')
})
