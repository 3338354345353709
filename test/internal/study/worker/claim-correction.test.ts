// Claims with an unknown id or a quote that is not in their evidence: what the worker gets, and what is kept.
import { expect, test } from 'vitest'
import type { Journal } from '../../../../internal/store/journal/journal.ts'
import { foldStudy } from '../../../../internal/study/log/state.ts'
import { mergeCorrection, writeClaimNote } from '../../../../internal/study/worker/claim-correction.ts'
import { type StudyWorkerContext, workOnTask } from '../../../../internal/study/worker/worker.ts'
import { bench, look, unled } from '../../../support/study-run.ts'

const evidence = new Map([
  ['E1.1', { excerpt: 'The store locks\n its files with O_EXCL.' }],
  ['E1.2', { excerpt: 'A lock is held for 30 seconds.' }],
])
const claim = (text: string, id: string, quote: string) => ({
  ...{ text, evidence: id, quote, stance: 'supports' as const, confidence: 0.5 },
})
const good = claim('It locks', 'E1.1', 'store locks its files')
const also = claim('It is held for 30 seconds', 'E1.2', 'held for 30 seconds')
const quoted = claim('Zebras graze', 'E1.2', 'A lock is held for 30 seconds.')

test.each([
  ['no claim', [], undefined],
  ['good claims', [good, also], undefined],
  [
    'an id of another task',
    [good, claim('x', 'E2.1', 'A lock')],
    /^1 of 2 claims hold\. 2: you were not given evidence E2\.1\./,
  ],
  ['no id', [claim('x', '', 'A lock')], /^0 of 1 claim holds\. 1: it names no evidence/],
  ['other words', [claim('x', 'E1.2', 'A lock is kept')], /1: the quote is not in E1\.2\. Reply/],
  ['the quote of another evidence', [claim('x', 'E1.2', 'O_EXCL')], /not in E1\.2/],
  ['no quote', [claim('x', 'E1.2', '')], /not in E1\.2/],
  ['an ellipsis', [claim('A lock is held', 'E1.2', 'A lock … 30 seconds')], undefined],
  ['pieces in another order', [claim('x', 'E1.2', '30 seconds … A lock')], /not in E1\.2/],
  ['a quote about something else', [quoted], /1: the quote does not state the claim; quote the whole/],
])('%s', (_, claims, wanted) => {
  const note = writeClaimNote({ claims, gaps: [] }, evidence)
  if (wanted) expect(note).toMatch(wanted)
  else expect(note).toBeUndefined()
})

test('a note lists 20 claims and counts the others', () => {
  const claims = Array.from({ length: 30 }, (_, i) => claim(`c${i}`, 'E9', 'x'))
  expect(writeClaimNote({ claims, gaps: [] }, evidence)).toMatch(
    /^0 of 30 claims hold\..* 20: .*And 10 more\./,
  )
})

test('a correction replaces what was wrong, and an empty one keeps it', () => {
  const bad = claim('x', 'E2.1', 'A lock')
  const before = { claims: [good, bad], gaps: ['a'] }
  expect(mergeCorrection(before, { claims: [also], gaps: ['b'] }, evidence)).toEqual({
    claims: [good, also],
    gaps: ['a', 'b'],
  })
  expect(mergeCorrection(before, { claims: [], gaps: [] }, evidence)).toEqual(before)
})

test('a claim with a real quote stays unless a correction is about it', () => {
  const before = { claims: [good, quoted], gaps: [] }
  const about = claim('Zebras graze at night', 'E1.2', 'A lock')
  expect(mergeCorrection(before, { claims: [also], gaps: [] }, evidence).claims).toEqual([good, quoted, also])
  expect(mergeCorrection(before, { claims: [about], gaps: [] }, evidence).claims).toEqual([good, about])
})

/** `whole` until it has recorded its `nth` reply: there it stops, as a worker that is killed. */
function killedAfter(whole: StudyWorkerContext, nth: number): StudyWorkerContext & { dead: Promise<void> } {
  let replies = 0
  let die: () => void = () => undefined
  const dead = new Promise<void>((resolve) => {
    die = resolve
  })
  const forever = () => new Promise<never>(() => undefined)
  const journal = new Proxy(whole.journal, {
    get(target, name) {
      const method = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return async (...args: unknown[]) => {
        if (replies >= nth) return forever()
        const result = await method.apply(target, args)
        const lines = args.flat().filter((one) => (one as { kind?: string } | undefined)?.kind === 'step')
        replies += lines.length
        if (replies < nth || lines.length === 0) return result
        die()
        return forever()
      }
    },
  }) as Journal
  return { ...whole, journal, dead, leaseMs: 300, heartbeatMs: 60_000 }
}

const read = (text: string, id: string) => claim(text, id, 'locks files with O_EXCL')
const corrections: readonly (readonly [string, string, readonly string[]])[] = [
  ['a correction', JSON.stringify({ claims: [read('b', 'E1.1')], gaps: [] }), ['a', 'b']],
  ['two claims for one', JSON.stringify({ claims: [read('b', 'E1.1'), read('c', 'E1.1')] }), ['a', 'b', 'c']],
  ['a wrong correction', JSON.stringify({ claims: [read('b', 'E7.7')], gaps: [] }), ['a']],
  ['an empty correction', JSON.stringify({ claims: [], gaps: [] }), ['a']],
]

test.each(corrections.flatMap((row) => [2, 3].map((nth) => [row[0], row[2], nth, row[1]] as const)))(
  '%s, after which %j is recorded, also by a worker killed after reply %i',
  async (_, wanted, nth, text) => {
    const first = JSON.stringify({ claims: [read('a', 'E1.1'), read('x', 'E9.9')], gaps: [] })
    const replies = [look, { text: first }, { text }].map((reply) => ({ task: 't1', ...reply }))
    const { journal, plan, seat, job, study } = await unled(bench(), replies)
    await plan()
    const killed = killedAfter(seat('first'), nth)
    void workOnTask(job, killed, new AbortController().signal).catch(() => undefined)
    await killed.dead
    const isFree = async () => (await journal.leases(study)).every(({ untilMs }) => untilMs <= Date.now())
    await expect.poll(isFree).toBe(true)
    await workOnTask({ ...job, epoch: 1 }, seat('second'), new AbortController().signal)
    const state = foldStudy(await journal.read(study, 0, 100))
    expect([...state.claims.values()].map((one) => one.text)).toEqual(wanted)
    expect(state.repaid).toBe(0)
  },
)
