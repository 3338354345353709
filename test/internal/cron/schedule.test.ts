// Schedules over changes of the clocks, against a count of every minute; and what is no schedule.
import { expect, test } from 'vitest'
import { FailureError } from '../../../internal/base/errors.ts'
import { parseSchedule } from '../../../internal/cron/schedule.ts'
import { rounds } from '../../support/sample.ts'

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs

/** Zones with an hour, half an hour, midnight changes, none, and two changes within a month. */
const zones = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'],
  ...['America/Santiago', 'Asia/Kolkata', 'Africa/Casablanca'],
]

const wallClocks = new Map<string, Intl.DateTimeFormat>()

/** `YYYY-MM-DD HH:MM` as the clocks of the zone show it, from another source than the schedule's. */
function sandboxOf(zone: string, at: number): string {
  const clock =
    wallClocks.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  wallClocks.set(zone, clock)
  return clock.format(at)
}

/** Days within a span on which the offset changes, and one on which it does not. */
function changes(zone: string, from: number, to: number): number[] {
  const offset = (at: number) => Date.parse(`${sandboxOf(zone, at).replace(' ', 'T')}Z`) - at
  const found: number[] = [from + dayMs]
  for (let day = from; day < to; day += dayMs) if (offset(day) !== offset(day + dayMs)) found.push(day)
  return found
}

/**
 * The rule of a fixed time by counting minutes: on each local day its first showing, and where that day has
 * none the first minute whose wall clock is past it.
 */
function countedDays(zone: string, time: string, from: number, to: number): string[] {
  const seen = new Map<string, number>()
  let before = sandboxOf(zone, from - minuteMs)
  for (let at = from; at < to; at += minuteMs) {
    const sandbox = sandboxOf(zone, at)
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
  '%s: a fixed time comes once on each day, also around changes',
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
        // the first day may have begun before the span
        const dates = slots.map((at) => new Date(at).toISOString())
        expect(counted.slice(-dates.length), `${time} around ${new Date(change).toISOString()}`).toEqual(
          dates,
        )
        expect(dates.length).toBeGreaterThanOrEqual(2)
      }
    }
  },
)

test.each(zones)('%s: a step keeps its distance, whatever the clocks do', { timeout: 120_000 }, (zone) => {
  for (const change of changes(zone, start, end)) {
    const slots = parseSchedule('*/15 * * * *', zone).following(change - 1, 2 * 96)
    expect(slots.every((at, i) => i === 0 || at - (slots[i - 1] as number) === 15 * minuteMs)).toBe(true)
  }
})

test('gaps and doubled hours by hand', () => {
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

test('the last slot before a moment, that moment included', () => {
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
  ['* * * * * *', /6 fields/],
  ['* * * *', /4 fields/],
  ['', /0 fields/],
  ['@reboot', /@reboot/],
  ['0 0 30 2 *', /never comes/],
  ['? * * * *', /\?/],
  ['0 0 * * 8', /dayOfWeek/],
  ['*/0 * * * *', /step/i],
  ['5-1 * * * *', /./],
  ['a b c d e', /./],
  [`${'1,'.repeat(50_000)}1 * * * *`, /.|^/],
])('%# %j is no schedule', (text, why) => {
  try {
    // a long list may be one, but must be read at once
    expect(parseSchedule(text, 'UTC').expression.length).toBeGreaterThan(90_000)
  } catch (error) {
    expect(error).toBeInstanceOf(FailureError)
    expect((error as FailureError).failure.code).toBe('bad_args')
    expect((error as FailureError).failure.message).toMatch(why)
    expect((error as FailureError).failure.message.length).toBeLessThan(400)
  }
})

test.each(['Europe/Atlantis', '+01:00', '', '../etc'])('%j is no zone', (zone) => {
  expect(() => parseSchedule('@daily', zone)).toThrow(/no time zone/)
})
