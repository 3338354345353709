// Times of a schedule: five fields or a name, in a time zone, across changes between summer and winter time.
import { Cron } from 'croner'
import { FailureError, messageOf } from '../base/errors.ts'
import { findZone, localZone } from '../base/zone-time.ts'

/**
 * A parsed schedule. A slot is a time at which the schedule is due, and always a whole minute. Times are in
 * milliseconds since 1970.
 */
interface CronSchedule {
  expression: string
  timezone: string
  /** Returns the first slot after a time, or undefined if no slot follows. */
  next(after: number): number | undefined
  /** Returns at most `count` slots after a time. */
  following(after: number, count: number): number[]
  /** Returns the last slot at or before a time, or undefined if no slot precedes it. */
  latest(at: number): number | undefined
}

const nicknames: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

const hint =
  'Five fields: minute, hour, day of the month, month, day of the week; or @hourly, @daily, @weekly, ' +
  '@monthly, @yearly. "0 7 * * 1-5" is 07:00 from Monday to Friday.'

/**
 * Parses a schedule. A fixed hour is due once a day. If the clocks show it twice, the first time counts. If
 * they skip it, the first minute after the gap counts. A schedule with a step or a star in its minutes or
 * hours keeps its interval instead. Throws FailureError `bad_args` for an invalid schedule, a date that never
 * occurs, or an unknown zone.
 */
export function parseSchedule(expression: string, timezone = localZone()): CronSchedule {
  const text = expression.trim().toLowerCase()
  if (findZone(timezone) === undefined) {
    const zoneHint = 'Use a name of the IANA database, such as Europe/Berlin or UTC.'
    throw new FailureError({ code: 'bad_args', message: `unknown time zone ${timezone}`, hint: zoneHint })
  }
  const fields = nicknames[text] ?? text
  if (text.startsWith('@') && nicknames[text] === undefined)
    throw badSchedule(expression, `${text} is not known`)
  const count = fields.split(/\s+/).filter(Boolean).length
  if (count !== 5) throw badSchedule(expression, `expected 5 fields, got ${count}`)
  // the library croner replaces `?` by the current time, but a schedule must always have the same meaning
  if (fields.includes('?')) throw badSchedule(expression, '? is not known')
  const cron = openCron(expression, fields, timezone)
  const following = (after: number, count: number) =>
    cron.nextRuns(count, new Date(after)).map((date) => date.getTime())
  return {
    expression: text.replace(/\s+/g, ' '),
    timezone,
    next: (after) => following(after, 1)[0],
    following,
    latest: (at) => cron.previousRuns(1, new Date(at + 1))[0]?.getTime(),
  }
}

function openCron(expression: string, fields: string, timezone: string): Cron {
  let cron: Cron
  try {
    cron = new Cron(fields, { mode: '5-part', fixedTimeRule: 'no-wildcard', timezone, paused: true })
  } catch (error) {
    throw badSchedule(expression, messageOf(error).replace(/^CronPattern: /, ''))
  }
  if (cron.nextRun() === null) throw badSchedule(expression, 'this date never occurs')
  return cron
}

function badSchedule(expression: string, why: string): FailureError {
  const message = `invalid schedule ${JSON.stringify(expression.slice(0, 100))}: ${why}`
  return new FailureError({ code: 'bad_args', message, hint })
}
