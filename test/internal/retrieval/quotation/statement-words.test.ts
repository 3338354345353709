// Ends of searches for questions without a kind of value: the words in one statement, and in several.
import { expect, test } from 'vitest'
import { findPassages } from '../../../../internal/retrieval/find-passages.ts'
import { hasMostWords } from '../../../../internal/retrieval/quotation/statement-words.ts'

async function verdictOf(path: string, text: string, question: string): Promise<string> {
  // Without further texts, every word of the question would be equally rare.
  const others = ['ferry', 'orchard', 'violin'].map((word) => ({
    path: `${word}.md`,
    real: '',
    text: `# The ${word}\n\nEach ${word} has a colour and a keeper, and the keeper paints it.\n`,
  }))
  const files = [{ path, real: '', text }, ...others]
  const signal = new AbortController().signal
  return (await findPassages({ files, question, limit: 8, signal })).coverage.verdict
}

interface Deed {
  thing: string
  act: string
  acted: string
  from: string
}

/** Subjects of short questions, whose words have no synonyms in common. */
const deeds: readonly Deed[] = [
  { thing: 'pigeons', act: 'detach', acted: 'detached', from: 'ledger' },
  { thing: 'barrels', act: 'paint', acted: 'painted', from: 'cellar' },
  { thing: 'lanterns', act: 'polish', acted: 'polished', from: 'tower' },
  { thing: 'anchors', act: 'weigh', acted: 'weighed', from: 'harbour' },
]
const title = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
const ask = ({ thing, acted, from }: Deed) => `How are ${thing} ${acted} in the ${from}?`

/** Texts with all words of the question close together, in statements about different things. */
const apart: readonly [string, string, (deed: Deed) => string][] = [
  [
    'items of a list',
    'a.md',
    ({ thing, act, from }) =>
      `# Features\n\n- Counting of ${thing} by size\n- A way to ${act} the gate\n- A map of the ${from}\n`,
  ],
  [
    'sentences',
    'a.md',
    ({ thing, acted, from }) =>
      `# House\n\nGuests like ${thing}. Every door was ${acted} in May. Rain fell on the ${from}.\n`,
  ],
  [
    'rows of a table',
    'a.md',
    ({ thing, acted, from }) =>
      `# House\n\n| part | note |\n|---|---|\n| ${thing} | small |\n` +
      `| doors | ${acted} |\n| ${from} | wet |\n`,
  ],
  [
    'fields of a type',
    'src/a.ts',
    ({ thing, acted, from }) =>
      `export interface House {\n  /** Count of ${thing}. */\n  a: number\n` +
      `  /** True if ${acted}. */\n  b: boolean\n  /** Address of the ${from}. */\n  c: string\n}\n`,
  ],
  [
    'settings',
    'a.ini',
    ({ thing, acted, from }) =>
      `; about ${thing}\na = 1\n\n; if ${acted}\nb = 2\n\n; in the ${from}\nc = 3\n`,
  ],
]

/** Texts with the words in one statement. */
const together: readonly [string, string, (deed: Deed) => string][] = [
  [
    'a sentence',
    'a.md',
    ({ thing, acted, from }) => `# House\n\nThe ${thing} are ${acted} in the ${from} by hand.\n`,
  ],
  [
    'an item below a title',
    'a.md',
    ({ thing, act, from }) => `# The ${from}\n\n- To ${act} ${thing}, use a brush.\n- The gate is green.\n`,
  ],
  [
    'a comment and its function',
    'src/a.ts',
    ({ thing, act, from }) =>
      `/** The ${thing} of the ${from} lose their dust. */\n` +
      `export function ${act}(all: string[]) {\n  return all.sort()\n}\n`,
  ],
]

const rowsOf = (table: typeof apart) =>
  table.flatMap(([form, path, text]) => deeds.map((deed) => ({ form, path, deed, text: text(deed) })))

test.each(rowsOf(apart))('$deed.thing: words in $form do not answer', async ({ path, text, deed }) => {
  expect([text, await verdictOf(path, text, ask(deed))]).toEqual([text, 'partial'])
})

test.each(rowsOf(together))('$deed.thing: words in $form answer', async ({ path, text, deed }) => {
  expect([text, await verdictOf(path, text, ask(deed))]).toEqual([text, 'found'])
})

test.each(deeds)('$thing: a sentence about another subject or action does not answer', async (deed) => {
  const { thing, acted, from } = deed
  for (const text of [
    `The ${thing} are sold in the ${from} by hand.`,
    `The ${thing} are ${acted} in the meadow by hand.`,
    `Ropes are ${acted} in the ${from} by hand.`,
  ])
    expect([text, await verdictOf('a.md', `# House\n\n${text}\n`, ask(deed))]).not.toEqual([text, 'found'])
})

test.each(['longer', 'shorter', 'wider', 'heavier'])('a text says "%s than" in other words', async (word) => {
  const text = '# Depot\n\nA harvester with more than four axles is refused.\n'
  expect(await verdictOf('a.md', text, `What happens if the harvester is ${word} than four axles?`)).toBe(
    'found',
  )
})

test('a short statement needs every word, a long one three of five', () => {
  const held = (...shares: number[]) => new Map(shares.map((share, term) => [term, share]))
  const has = (...shares: number[]) =>
    hasMostWords(held(...shares), { terms: [...shares.keys()], weightOf: () => 1 })
  expect(has(1)).toBe(true)
  expect(has(0.8)).toBe(true)
  expect(has(1, 0)).toBe(false)
  expect(has(1, 1, 0.8)).toBe(true)
  expect(has(1, 1, 0)).toBe(false)
  expect(has(1, 0.8, 0.8)).toBe(false)
  expect(has(1, 1, 1, 0)).toBe(true)
  expect(has(1, 1, 0.8, 0)).toBe(false)
  expect(has(1, 1, 1, 0, 0)).toBe(true)
  expect(has(1, 1, 0, 0, 0)).toBe(false)
})

test.each(deeds)('which $thing are $acted: a sentence without two of them does not answer', async (deed) => {
  const { thing, acted, from } = deed
  const question = `Which ${thing} are ${acted} in the ${from}?`
  const one = `# House\n\nThe ${thing} are ${acted} in the ${from} by hand.\n`
  const several = `# House\n\nIn the ${from}, these ${thing} are ${acted}: old, red, small.\n`
  const others = `# House\n\nOf all ${thing}, keep red, old, small. Ropes are ${acted}. The ${from} is wet.\n`
  expect(await verdictOf('a.md', one, question)).toBe('partial')
  expect(await verdictOf('a.md', others, question)).toBe('partial')
  expect(await verdictOf('a.md', several, question)).toBe('found')
})

test.each(deeds)(
  'where $thing are $acted: a definition with a few of the words does not answer',
  async (deed) => {
    const { thing, act, acted, from } = deed
    const question = `Where are the ${thing} of the ${from} ${acted}?`
    const body = '(all: string[]) {\n  return all.sort()\n}\n'
    const some = `/** Returns the ${thing} of the ${from}. */\nexport function list${title(thing)}${body}`
    const every = `/** Tidies ${thing} of the ${from}. */\nexport function ${act}${title(thing)}${body}`
    expect(await verdictOf('src/a.ts', some, question)).toBe('partial')
    expect(await verdictOf('src/a.ts', every, question)).toBe('found')
  },
)

/** Rare words of questions, each with a synonym that also has other meanings. */
const subjects: readonly [string, string, string][] = [
  ['stopped', 'closed', 'How are keepers stopped?'],
  ['started', 'launched', 'How are keepers started?'],
  ['deleted', 'removed', 'How are keepers deleted?'],
]

test.each(subjects)('"%s", the only rare word, is not answered by "%s"', async (word, synonym, question) => {
  const text = (own: string) => `# House\n\nThe keeper has a colour, and ${own} is chosen by each keeper.\n`
  expect(await verdictOf('a.md', text(word), question)).toBe('found')
  expect(await verdictOf('a.md', text(synonym), question)).toBe('partial')
})

// The other texts say "paints", so a statement about painted keepers is among them.
const rareDeeds = deeds.filter(({ act }) => act !== 'paint')

test.each(rareDeeds)('keepers $acted: a title above all texts is not a statement', async (deed) => {
  const { thing, acted, from } = deed
  const text = (own: string) => `# Keepers\n\nIn the ${from}, ${own} ${acted} at dawn.\n`
  const question = `When are keepers ${acted}?`
  expect(await verdictOf('a.md', text('ropes are'), question)).toBe('partial')
  expect(await verdictOf('a.md', text('keepers are'), question)).toBe('found')
  const rare = `# ${title(thing)}\n\nIn the ${from}, they are ${acted} at dawn.\n`
  expect(await verdictOf('a.md', rare, `When are ${thing} ${acted}?`)).toBe('found')
})
