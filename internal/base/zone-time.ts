// Wall clock times in zones of the IANA database, and their conversion between zones.

/** A time as the clocks of a zone show it. */
export interface ZoneTime {
  timezone: string
  /** Date and time in ISO 8601 with the offset of the zone. */
  datetime: string
  day_of_week: string
  is_dst: boolean
}

const minuteMs = 60_000
const dayMs = 1440 * minuteMs

/** Returns the zone's name unchanged, or undefined for an unknown zone. */
export function findZone(name: string): string | undefined {
  try {
    partsOf(name, 0)
    // some versions of Node accept offsets such as +01:00, which are not zones
    return /^[+-]/.test(name) ? undefined : name
  } catch {
    return undefined
  }
}

export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the clock time of `zone` at the time `at`, which is in milliseconds since 1970. */
export function zoneTimeAt(zone: string, at: number): ZoneTime {
  const offset = offsetAt(zone, at)
  const year = new Date(at + offset).getUTCFullYear()
  const usual = Math.min(offsetAt(zone, Date.UTC(year, 0, 1)), offsetAt(zone, Date.UTC(year, 6, 1)))
  const local = new Date(at + offset)
  return {
    timezone: zone,
    datetime: local.toISOString().slice(0, 19) + describeOffset(offset),
    day_of_week: weekdays[local.getUTCDay()] as string,
    is_dst: offset > usual,
  }
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/**
 * Returns the time, in milliseconds since 1970, at which the clocks of `zone` show that many minutes
 * after midnight on its current day at `now`. A skipped time moves forward by the gap; a repeated time
 * means its first occurrence.
 */
export function findTimeToday(zone: string, minutes: number, now: number): number {
  const today = Math.floor((now + offsetAt(zone, now)) / dayMs) * dayMs
  const local = today + minutes * minuteMs
  const before = offsetAt(zone, local - dayMs)
  const after = offsetAt(zone, local + dayMs)
  const first = local - before
  const second = local - after
  return offsetAt(zone, first) !== before && offsetAt(zone, second) === after ? second : first
}

/** Returns how far the second zone is ahead of the first at that time, in hours: `+9h`, `-3.5h`. */
export function describeDifference(from: string, to: string, at: number): string {
  const hours = (offsetAt(to, at) - offsetAt(from, at)) / (60 * minuteMs)
  return `${hours < 0 ? '-' : '+'}${Number(Math.abs(hours).toFixed(2))}h`
}

/** Returns the milliseconds that the zone is ahead of UTC. */
function offsetAt(zone: string, at: number): number {
  const parts = partsOf(zone, at)
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return local - Math.floor(at / 1000) * 1000
}

const formats = new Map<string, Intl.DateTimeFormat>()

function partsOf(zone: string, at: number): Intl.DateTimeFormatPart[] {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  formats.set(zone, format)
  return format.formatToParts(at)
}

function describeOffset(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / minuteMs)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
