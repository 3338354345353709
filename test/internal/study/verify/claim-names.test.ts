// Subjects of claims: a claim about another thing is not verified, although its number is in the quote.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judgeClaim } from '../../../../internal/study/verify/claim-state.ts'
import { root } from '../../../support/sources.ts'

interface Pair {
  path: string
  excerpt: string
  quote: string
  text: string
}
const pairs: Pair[] = JSON.parse(readFileSync(join(root, 'test/fixtures/claims/pairs.json'), 'utf8'))
const judge = (text: string, path: string, quote: string, around = '') =>
  judgeClaim(text, [{ quote, excerpt: around === '' ? quote : `${around}\n${quote}`, path }])

describe('programs and settings', () => {
  const rows: readonly (readonly [path: string, quote: string, right: string, wrong: readonly string[]])[] = [
    ['sshd.conf', 'MaxSessions 10', 'Up to 10 sessions are possible.', ['Up to 10 keys are possible.']],
    [
      'sshd.conf',
      'LoginGraceTime 2m',
      'A login takes two minutes at most.',
      ['A backup takes two minutes at most.', 'An idle tunnel is closed after two minutes.'],
    ],
    [
      'mail.py',
      '_MAXCHALLENGE = 5  # Maximum number of AUTH challenges sent',
      'At most 5 challenges are sent.',
      ['At most 5 recipients are accepted.', 'A letter has up to 5 attachments.'],
    ],
    [
      'pool.go',
      'const DefaultPoolSize = 16',
      'A pool has a size of 16 by default.',
      ['A letter has 16 pages by default.', 'By default 16 cells are shown.'],
    ],
    [
      'auth.ts',
      'const authTries = 6',
      'Users may try to authenticate 6 times.',
      ['A cell may be drawn 6 times.', 'At most 6 letters are sent.'],
    ],
  ]
  it.each(rows)('%s: %s', (path, quote, right, wrong) => {
    expect(judge(right, path, quote)).toBe('verified')
    for (const text of wrong) expect([text, judge(text, path, quote)]).toEqual([text, 'quoted'])
  })

  it('a comment above the quote may name the subject', () => {
    const quote = 'interval = 5'
    expect(
      judge('Mails are polled every 5 seconds.', 'poll.py', quote, '# seconds between polls of mails'),
    ).toBe('verified')
  })
})

describe('prose', () => {
  const text = 'All pending commands are flushed with an error every 20 attempts to connect.'
  it.each([
    ['Pending commands are flushed after 20 attempts.', 'verified'],
    ['Subscriptions are flushed after 20 attempts.', 'quoted'],
    ['Backups are flushed with an error every 20 attempts.', 'quoted'],
    ['By default, pending commands are flushed every 20 attempts.', 'verified'],
  ])('%s: %s', (claim, state) => expect(judge(claim, 'README.md', text)).toBe(state))

  it('an introduction, a pronoun or the title of the page may hide the subject', () => {
    expect(judge('If the run fails, pending commands are flushed every 20 attempts.', 'a.md', text)).toBe(
      'verified',
    )
    expect(
      judge('A run without errors exits with 0.', 'a.md', 'If it goes well, it exits with code 0.'),
    ).toBe('verified')
    expect(
      judge(
        'Snapshots expire after 5 days.',
        'snapshots.md',
        'The lifetime is limited: expiry after 5 days.',
      ),
    ).toBe('verified')
  })
})

it('a claim of the fixture about an invented subject is only quoted', () => {
  const wrong: string[] = []
  let tried = 0
  for (const { path, excerpt, quote, text } of pairs) {
    const amount = /\d+(?: (?:[KMG]iB|seconds|days|ms|%))?/.exec(text)?.[0]
    if (amount === undefined) continue
    for (const subject of ['Zebras', 'A violin', 'The harbor']) {
      tried++
      const claim = `${subject} may have ${amount}.`
      if (judgeClaim(claim, [{ quote, excerpt, path }]) === 'verified') wrong.push(`${claim} ${quote}`)
    }
  }
  expect(tried).toBeGreaterThan(40)
  expect(wrong.length / tried, wrong.join('\n')).toBeLessThanOrEqual(0.12)
})
