// The words for the reasons why runs end early: each reason has some, and none of them looks like a code.
import { expect, it } from 'vitest'
import type { RunEnd } from '../../../../internal/agent/run-end.ts'
import {
  describeCode,
  describeRunReason,
  runReasonWords,
} from '../../../../internal/base/text/reason-words.ts'
import { read, sources } from '../../../support/sources.ts'

type RunReason = Extract<RunEnd, { end: 'partial' | 'limit' | 'failed' }>['reason']

/** Each reason of the type. The compiler rejects the table if one is missing. */
const reasons: Readonly<Record<RunReason, true>> = {
  ...{ turns: true, calls: true, tokens: true, usd: true, time: true },
  ...{ loop: true, length: true, filter: true, denied: true, hook: true },
  ...{ unproven: true, no_change: true, check_changed: true, stood_down: true },
  ...{ auth: true, payment: true, forbidden: true, not_found: true, context_too_long: true },
  ...{ tools_unsupported: true, bad_request: true, rate_limit: true, server: true, unreachable: true },
  ...{ broken: true, stalled: true, cancelled: true, script_exhausted: true, replay_miss: true },
  ...{ internal: true, empty_reply: true, tampered: true },
}

it.each(Object.keys(reasons))('there are words for the reason %s', (reason) => {
  expect(Object.hasOwn(runReasonWords, reason)).toBe(true)
})

it('there are words for each reason that is written next to the end of a run', () => {
  const written = /\bend: '(?:failed|partial|limit)',\s*reason: '(\w+)'/g
  const found = sources()
    .filter((file) => !/^internal\/(?:service\/)?study\//.test(file))
    .flatMap((file) => [...read(file).matchAll(written)].map(([, reason = '']) => reason))
  expect(found).toContain('unrecorded')
  expect(found.filter((reason) => !Object.hasOwn(runReasonWords, reason))).toEqual([])
})

it.each(Object.entries(runReasonWords))('the words for %s are short and plain: %s', (_, words) => {
  expect(words).toMatch(/^[a-z]+(?: [a-z]+){0,4}$/)
})

it.each([
  ['auth', 'no valid key'],
  ['auth: 401 wrong key_1', 'no valid key: 401 wrong key_1'],
  ['unreachable', 'the model cannot be reached'],
  ['a_later_reason', 'a later reason'],
  ['a_later_reason: read my_file', 'a later reason: read my_file'],
  ['toString', 'toString'],
  ['the file my_file.ts is open', 'the file my_file.ts is open'],
  ['interrupted', 'interrupted'],
  ['', ''],
])('shows the reason "%s" as "%s"', (reason, words) => {
  expect(describeRunReason(reason)).toBe(words)
})

it('uses the words of the table that it gets', () => {
  expect(describeCode('lost: it ended', { lost: 'worker lost' })).toBe('worker lost: it ended')
})
