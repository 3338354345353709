// Amounts by value and unit: in digits, expressions, names and words.
import { describe, expect, it } from 'vitest'
import { isSameAmount, listAmounts } from '../../../../internal/study/verify/claim-amounts.ts'

/** Returns whether every amount of the claim is among those of the quote. */
const states = (quote: string, claim: string) => {
  const theirs = listAmounts(quote, true)
  return listAmounts(claim).every((amount) => theirs.some((other) => isSameAmount(amount, other)))
}

describe('equal amounts', () => {
  it.each([
    ['10 * 60', 'ten minutes'],
    ['10 * 60', '600 seconds'],
    ['64 << 20', '64 MiB'],
    ['64 << 20', '67108864 bytes'],
    ['2 ** 10', '1024'],
    ['with half a second between them', '500 ms'],
    ['500 ms', 'half a second'],
    ['a quarter of an hour', '15 minutes'],
    ['timedelta(minutes=10)', '600 s'],
    ['timeout_ms = 1500', '1.5 seconds'],
    ['30 * time.Second', '30 seconds'],
    ['14.days', 'two weeks'],
    ['default: three', '3 times'],
    ['every minute', 'nothing'],
    ['once an hour', '60 minutes'],
    ['0.25', '25 %'],
    ['1_000_000', '1,000,000'],
    ['one million', '1000000'],
    ['twenty five', '25'],
    ['2MB', '2 megabytes'],
    ['0o600', '0600'],
    ['0xff', '255'],
    ['1 YEAR in seconds', '1 year'],
    ['高さは31メートル', '31'],
  ])('%j states %j', (quote, claim) => expect(states(quote, claim)).toBe(true))
})

describe('other amounts', () => {
  it.each([
    ['10 * 60', 'eleven minutes'],
    ['64 << 20', '65 MiB'],
    ['30s', '30 minutes'],
    ['30 seconds', '30 MiB'],
    ['port = 8443', '844'],
    ['utf8 and sha256', '8'],
    ['1.5', '5'],
    ['0.25', '2.5 %'],
  ])('%j does not state %j', (quote, claim) => expect(states(quote, claim)).toBe(false))
})

it('reads no amounts in names', () => {
  for (const text of ['utf8', 'SHA-256', 'E2', '4xx', 'v1', 'base64', 'is one of them'])
    expect([text, listAmounts(text)]).toEqual([text, []])
})

it('the product of any two numbers is their amount', () => {
  for (let a = 2; a < 40; a += 3)
    for (let b = 2; b < 40; b += 5) {
      expect(states(`LIMIT = ${a} * ${b}`, `the limit is ${a * b}`)).toBe(true)
      expect(states(`LIMIT = ${a} * ${b}`, `the limit is ${a * b + 41}`)).toBe(false)
    }
})
