import { describe, expect, it } from 'vitest'
import { fingerprint } from '../../../../internal/base/fingerprint.ts'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { containsQuote } from '../../../../internal/study/verify/quotation.ts'
import { verifyClaims } from '../../../../internal/study/verify/verification.ts'
import { claim, evidence, studyOf } from '../../../support/study.ts'

const source = 'line one\nThe store locks\n  with O_EXCL.\nlast line\n'
const sourceSha256 = fingerprint(source)
const excerpt = 'The store locks\n  with O_EXCL.'
const quote = 'The store locks with O_EXCL.'

const check = async (
  over: Parameters<typeof evidence>[2],
  now: string | undefined = source,
  said = quote,
) => {
  const state = studyOf([
    makeStudyEntry('evidence', evidence('E1.1', excerpt, { locator: '2-3', sourceSha256, ...over })),
    makeStudyEntry('claim', claim('C1.1', said)),
  ])
  const { verdicts } = await verifyClaims(state, async () => (now === '' ? undefined : Buffer.from(now)))
  const { claim: _, ...rest } = verdicts[0] as (typeof verdicts)[0]
  return rest
}

describe('verify', () => {
  const fine = { state: 'verified', verified: true, sourceChanged: false }
  it('folds white space', async () => expect(await check({})).toEqual(fine))
  it('takes a locator of several ranges', async () => expect(await check({ locator: '1,2-3' })).toEqual(fine))
  it('needs no source', async () => expect(await check({}, '')).toEqual(fine))
  it('leaves a locator that names no lines alone', async () =>
    expect(await check({ locator: 'p. 4' })).toEqual(fine))
  it('says when the source changed, and is content', async () =>
    expect(await check({}, 'something else')).toEqual({ ...fine, sourceChanged: true }))
  it('does not ask for a source whose hash was never known', async () =>
    expect(await check({ sourceSha256: undefined as never }, 'x')).toEqual(fine))

  it.each([
    ['quote_missing', { over: {}, said: 'The store never locks.' }],
    ['quote_missing', { over: {}, said: ' ' }],
    ['excerpt_damaged', { over: { excerptSha256: 'feed' }, said: quote }],
    ['locator_wrong', { over: { locator: '1-2' }, said: quote }],
  ])('%s', async (reason, { over, said }) => {
    expect(await check(over, source, said)).toEqual({
      state: 'not_found',
      verified: false,
      reason,
      sourceChanged: false,
    })
  })

  it('finds claims without evidence, and counts', async () => {
    const state = studyOf([
      makeStudyEntry('evidence', evidence('E1.1', excerpt)),
      makeStudyEntry('claim', claim('C1.1', quote)),
      makeStudyEntry('claim', claim('C1.2', quote, { evidence: 'E7.7' })),
    ])
    const { verdicts, accuracy } = await verifyClaims(state, async () => undefined)
    expect(verdicts[1]).toEqual({
      claim: 'C1.2',
      state: 'not_found',
      verified: false,
      reason: 'no_evidence',
      sourceChanged: false,
    })
    expect(accuracy).toBe(0.5)
  })

  it('has no accuracy without claims', async () => {
    expect(await verifyClaims(studyOf([]), async () => undefined)).toEqual({
      verdicts: [],
      accuracy: null,
      support: null,
    })
  })

  it('reads each source once', async () => {
    const asked: string[] = []
    const state = studyOf([
      makeStudyEntry('evidence', evidence('E1.1', excerpt, { sourceSha256, locator: '2-3' })),
      makeStudyEntry('claim', claim('C1.1', quote)),
      makeStudyEntry('claim', claim('C1.2', 'with O_EXCL', { evidence: 'E1.1' })),
    ])
    await verifyClaims(state, async (name) => {
      asked.push(name)
      return Buffer.from(source)
    })
    expect(asked).toEqual(['docs/a.md'])
  })
})

it('compares in NFC', () => {
  expect(containsQuote('cafe\u0301 opens', 'caf\u00e9  opens')).toBe(true)
})
