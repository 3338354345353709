// Schedules around changes of the clocks, compared with a count of every minute, and invalid schedules.
import { expect, test } from 'vitest'
import { FailureError } from '../../../internal/base/errors.ts'
import { parseSchedule } from '../../../internal/cron/schedule.ts'
import { rounds } from '../../support/sample.ts'

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs

/**
 * Zones with changes of one hour, of half an hour, at midnight, with no change, and with two changes
 * within a month.
 */
const zones = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'],
  ...['America/Santiago', 'Asia/Kolkata', 'Africa/Casablanca'],
]

const wallClocks = new Map<string, Intl.DateTimeFormat>()

/** Returns the local time as `YYYY-MM-DD HH:MM`, from another source than the schedule uses. */
function localTimeOf(zone: string, at: number): string {
  const clock =
    wallClocks.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  wallClocks.set(zone, clock)
  return clock.format(at)
}

/** Returns the days within a span on which the offset changes, and one on which it does not. */
function changes(zone: string, from: number, to: number): number[] {
  const offset = (at: number) => Date.parse(`${localTimeOf(zone, at).replace(' ', 'T')}Z`) - at
  const found: number[] = [from + dayMs]
  for (let day = from; day < to; day += dayMs) if (offset(day) !== offset(day + dayMs)) found.push(day)
  return found
}

/**
 * Returns the minutes of a fixed time by counting: on each local day its first occurrence, or, on a day
 * without it, the first minute whose local time is past it.
 */
function countedDays(zone: string, time: string, from: number, to: number): string[] {
  const seen = new Map<string, number>()
  let before = localTimeOf(zone, from - minuteMs)
  for (let at = from; at < to; at += minuteMs) {
    const sandbox = localTimeOf(zone, at)
    const day = sandbox.slice(0, 10)
    const isPast = sandbox.slice(11) >= time && (before.slice(0, 10) !== day || before.slice(11) < time)
    if (isPast && !seen.has(day)) seen.set(day, at)
    before = sandbox
  }
  return [...seen.values()].map((at) => new Date(at).toISOString())
}

const years = rounds(1, 10)
const start = Date.UTC(2026, 0, 1)
const end = Date.UTC(2026 + years, 0, 1)

test.each(zones)(
  '%s: runs once per day at a fixed time, also around changes',
  { timeout: 120_000 },
  (zone) => {
    for (const time of years === 1
      ? ['00:30', '02:15']
      : ['00:00', '00:30', '01:59', '02:15', '02:30', '03:00']) {
      const [hour, minute] = time.split(':').map(Number)
      const schedule = parseSchedule(`${minute} ${hour} * * *`, zone)
      for (const change of changes(zone, start, end)) {
        const [from, to] = [change - dayMs, change + 2 * dayMs]
        const slots = schedule.following(from - 1, 10).filter((at) => at < to)
        const counted = countedDays(zone, time, from, to)
        // the first day may have started before the span
        const dates = slots.map((at) => new Date(at).toISOString())
        expect(counted.slice(-dates.length), `${time} around ${new Date(change).toISOString()}`).toEqual(
          dates,
        )
        expect(dates.length).toBeGreaterThanOrEqual(2)
      }
    }
  },
)

test.each(zones)(
  '%s: a step keeps its distance through changes of the clocks',
  { timeout: 120_000 },
  (zone) => {
    for (const change of changes(zone, start, end)) {
      const slots = parseSchedule('*/15 * * * *', zone).following(change - 1, 2 * 96)
      expect(slots.every((at, i) => i === 0 || at - (slots[i - 1] as number) === 15 * minuteMs)).toBe(true)
    }
  },
)

test('handles skipped and repeated hours that are listed by hand', () => {
  const slots = (text: string, zone: string, from: string, count: number) =>
    parseSchedule(text, zone)
      .following(Date.parse(from), count)
      .map((at) => `${new Date(at).toISOString().slice(0, 16)}Z`)
  expect(slots('15 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 2)).toEqual([
    '2026-10-25T00:15Z',
    '2026-10-26T01:15Z',
  ])
  expect(slots('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', 2)).toEqual([
    '2026-03-29T01:00Z',
    '2026-03-30T00:30Z',
  ])
  expect(slots('0 9 * * mon-fri', 'UTC', '2026-11-20T10:00Z', 2)).toEqual([
    '2026-11-23T09:00Z',
    '2026-11-24T09:00Z',
  ])
  expect(slots('@Monthly', 'UTC', '2026-01-31T00:00Z', 2)).toEqual(['2026-02-01T00:00Z', '2026-03-01T00:00Z'])
})

test('returns the last slot up to and including a moment', () => {
  const { latest, next } = parseSchedule('0 * * * *', 'UTC')
  const hour = Date.parse('2026-01-01T10:00Z')
  expect([latest(hour), latest(hour - 1), latest(hour + 59 * minuteMs)]).toEqual([
    hour,
    hour - 60 * minuteMs,
    hour,
  ])
  expect(next(hour)).toBe(hour + 60 * minuteMs)
})

test.each([
  ['61 * * * *', /minute: 61/],
  ['* * * * * *', /got 6$/],
  ['* * * *', /got 4$/],
  ['', /got 0$/],
  ['@reboot', /@reboot/],
  ['0 0 30 2 *', /never occurs/],
  ['? * * * *', /\?/],
  ['0 0 * * 8', /dayOfWeek/],
  ['*/0 * * * *', /step/i],
  ['5-1 * * * *', /./],
  ['a b c d e', /./],
  [`${'1,'.repeat(50_000)}1 * * * *`, /.|^/],
])('%# rejects %j as a schedule', (text, why) => {
  try {
    // a long list may be a schedule, but must be read quickly
    expect(parseSchedule(text, 'UTC').expression.length).toBeGreaterThan(90_000)
  } catch (error) {
    expect(error).toBeInstanceOf(FailureError)
    expect((error as FailureError).failure.code).toBe('bad_args')
    expect((error as FailureError).failure.message).toMatch(why)
    expect((error as FailureError).failure.message.length).toBeLessThan(400)
  }
})

test.each(['Europe/Atlantis', '+01:00', '', '../etc'])('rejects %j as a time zone', (zone) => {
  expect(() => parseSchedule('@daily', zone)).toThrow(/unknown time zone/)
})
