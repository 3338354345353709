// Checks that values of one kind are compared in all their written forms, and only for one subject.
import { describe, expect, it, test } from 'vitest'
import { findContradictoryPairs } from '../../../internal/text-analysis/contradictions.ts'
import { listDates } from '../../../internal/text-analysis/sentence-values.ts'

interface ValueKind {
  kind: string
  /** A sentence about a thing, with a value. */
  say: (thing: string, value: string) => string
  /** Forms of one value. */
  same: readonly string[]
  /** Forms of other values. */
  other: readonly string[]
}

const kinds: readonly ValueKind[] = [
  {
    kind: 'date',
    say: (thing, value) => `${thing} was released on ${value}.`,
    same: ['12 June 2024', 'June 12, 2024', '2024-06-12', '12th of June 2024', 'Jun 12 2024', '12.06.2024'],
    other: ['19 June 2024', 'June 19, 2024', '2024-06-19', '12 July 2024', '2023-06-12', '1.6.2024'],
  },
  {
    kind: 'month',
    say: (thing, value) => `${thing} was released in ${value}.`,
    same: ['June 2024', '2024-06', '2024'],
    other: ['July 2023', '2023-07', '2023'],
  },
  {
    kind: 'time',
    say: (thing, value) => `${thing} opens the gate at ${value} every morning.`,
    same: ['9:30', '09:30', '9:30 am', '9:30 a.m.'],
    other: ['9:45', '21:30', '9:30 pm', '9 am'],
  },
  {
    kind: 'version',
    say: (thing, value) => `${thing} needs a compiler of ${value}.`,
    same: ['version 2.1', 'v2.1', 'release 2.1', 'version v2.1'],
    other: ['version 2.3', 'v3', 'release 1.9', 'version 2.10'],
  },
  {
    kind: 'share',
    say: (thing, value) => `${thing} reduces the traffic by ${value}.`,
    same: ['12%', '12 %', '12 percent', '12 per cent'],
    other: ['14%', '14 %', '14 percent', '1.2 per cent'],
  },
  {
    kind: 'money',
    say: (thing, value) => `${thing} costs ${value} per seat.`,
    same: ['$1,500', '$1.5k', '1500 USD', '1,500 dollars', 'US$ 1500'],
    other: ['$1,600', '$1.5 million', '15 USD', '1,501 dollars'],
  },
  {
    kind: 'duration',
    say: (thing, value) => `${thing} keeps a lease for ${value}.`,
    same: ['90 seconds', '90 s', '1.5 minutes', '90,000 ms', '90000 milliseconds'],
    other: ['80 seconds', '2 minutes', '90 ms', '1 hour'],
  },
  {
    kind: 'size',
    say: (thing, value) => `${thing} stores a page of ${value}.`,
    same: ['2 MB', '2 MiB', '2048 KB', '2,097,152 bytes'],
    other: ['3 MB', '2 GB', '2000 KB', '17 bytes'],
  },
  {
    kind: 'count',
    say: (thing, value) => `${thing} runs with ${value}.`,
    same: ['1,000 workers', '1000 workers', '1_000 workers'],
    other: ['8 workers', '100 workers'],
  },
]

const isPair = (a: string, b: string) => findContradictoryPairs([a, b]).length > 0
const crossed = (left: readonly string[], right: readonly string[]) =>
  left.flatMap((a) => right.map((b): [string, string] => [a, b]))

describe.each(kinds)('$kind', ({ say, same, other }) => {
  const things = ['Version 2', 'The old server', 'Python 3.8']

  it.each(things)('%s: other values contradict each other, in any form', (thing) => {
    const missed = crossed(same, other).filter(([a, b]) => !isPair(say(thing, a), say(thing, b)))
    expect(missed).toEqual([])
  })

  it.each(things)('%s: one value does not, in any form', (thing) => {
    const wrong = crossed(same, same).filter(([a, b]) => isPair(say(thing, a), say(thing, b)))
    expect(wrong).toEqual([])
  })

  it.each([
    ['Version 2', 'Version 3'],
    ['Python 3.8', 'Python 3.9'],
    ['The task `build`', 'The task `test`'],
    ['With Redis the server', 'With Postgres the server'],
    ['Task 3', 'Task 4'],
  ])('%s and %s: other values do not', (one, two) => {
    const wrong = crossed(same, other).filter(([a, b]) => isPair(say(one, a), say(two, b)))
    expect(wrong).toEqual([])
  })
})

test.each([
  ['Version 2 was released on 12 June 2024.', 'Version 2 was released on 19 June 2024.', true],
  ['Version 2 was released on 12 June 2024.', 'Version 2 was released in June 2024.', false],
  ['Version 2 was released on 12 June 2024.', 'Version 2 was announced on 19 June 2024.', false],
  ['The project released version 2 on 12 June 2024.', 'Version 2 was released on 19 June 2024.', true],
  ['The current version is 2.1.', 'The current version is 2.2.', true],
  ['Version 2 requires Node 18.', 'Version 2 requires Node 20.', true],
  ['Version 2 requires Node 18.', 'Version 3 requires Node 20.', false],
  ['Retries 3 times after 30 seconds.', 'Retries 5 times after 30 seconds.', true],
  ['Keeps 3 copies for 30 days.', 'Keeps 5 copies for 30 days.', true],
  ['A seat costs $5.', 'A seat costs 5 euros.', false],
  ['The port is 2024.', 'The port is 2025.', true],
])('%s / %s', (a, b, expected) => {
  expect(isPair(a, b)).toBe(expected)
  expect(isPair(b, a)).toBe(expected)
})

it.each([
  ['on 2021-03-04 and 2022', ['2021-03-04', '2022']],
  ['4 March 2021', ['2021-03-04']],
  ['the 1st of May, 2019', ['2019-05-01']],
  ['March 4th, 2021 to Sept. 12, 2021', ['2021-03-04', '2021-09-12']],
  ['from January 2018', ['2018-01']],
  ['17.5.2019', ['2019-05-17']],
  ['2018-04', ['2018-04']],
  ['31.13.2019', []],
  ['12,019 people, 3.2019 m, section 20191', []],
  ['may be 40 of 50', []],
  ['no date', []],
])('reads %j', (text, dates) => {
  expect(listDates(text).map(({ iso }) => iso)).toEqual(dates)
})
