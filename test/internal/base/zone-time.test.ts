// Times in zones: offsets, summer time, skipped and doubled times.
import { expect, test } from 'vitest'
import { describeDifference, findTimeToday, findZone, zoneTimeAt } from '../../../internal/base/zone-time.ts'

test.each([
  ['Europe/Berlin', '2026-07-01T10:00:00Z', '2026-07-01T12:00:00+02:00', 'Wednesday', true],
  ['Europe/Berlin', '2026-12-31T23:30:00Z', '2027-01-01T00:30:00+01:00', 'Friday', false],
  ['Australia/Adelaide', '2026-01-01T00:00:00Z', '2026-01-01T10:30:00+10:30', 'Thursday', true],
  ['Asia/Kathmandu', '2026-01-01T00:00:00Z', '2026-01-01T05:45:00+05:45', 'Thursday', false],
  ['America/St_Johns', '2026-01-01T00:00:00Z', '2025-12-31T20:30:00-03:30', 'Wednesday', false],
  ['UTC', '2026-02-28T23:59:59.999Z', '2026-02-28T23:59:59+00:00', 'Saturday', false],
])('%s at %s', (zone, at, datetime, day_of_week, is_dst) => {
  expect(zoneTimeAt(zone, Date.parse(at))).toEqual({ timezone: zone, datetime, day_of_week, is_dst })
})

test.each([
  ['an ordinary time', 'Europe/Berlin', '2026-11-22T12:00:00Z', 9 * 60, '2026-11-22T08:00:00Z'],
  ['the day it is there', 'Asia/Tokyo', '2026-11-22T20:00:00Z', 60, '2026-11-22T16:00:00Z'],
  ['a skipped time moves on', 'Europe/Berlin', '2026-03-29T00:30:00Z', 150, '2026-03-29T01:30:00Z'],
  ['a doubled time is the first', 'Europe/Berlin', '2026-10-25T00:30:00Z', 150, '2026-10-25T00:30:00Z'],
  ['after the gap', 'Europe/Berlin', '2026-03-29T00:30:00Z', 180, '2026-03-29T01:00:00Z'],
  ['before the doubling', 'America/New_York', '2026-11-01T12:00:00Z', 30, '2026-11-01T04:30:00Z'],
  ['after the doubling', 'America/New_York', '2026-11-01T12:00:00Z', 120, '2026-11-01T07:00:00Z'],
])('%s', (_, zone, now, minutes, expected) => {
  expect(new Date(findTimeToday(zone, minutes, Date.parse(now))).toISOString().replace('.000', '')).toBe(
    expected,
  )
})

test.each([
  ['Europe/London', 'Asia/Tokyo', '+9h'],
  ['UTC', 'America/St_Johns', '-3.5h'],
  ['UTC', 'Asia/Kathmandu', '+5.75h'],
  ['UTC', 'UTC', '+0h'],
])('from %s to %s it is %s', (from, to, expected) => {
  expect(describeDifference(from, to, Date.parse('2026-01-01T00:00Z'))).toBe(expected)
})

test.each(['Europe/Atlantis', '', '+01:00', 'Europe/Berlin\0', '../etc'])('%j is not a zone', (name) => {
  expect(findZone(name)).toBeUndefined()
})
