// The tool clock: returns the time in a time zone, and converts times of one zone to another.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import {
  describeDifference,
  findTimeToday,
  findZone,
  localZone,
  type ZoneTime,
  zoneTimeAt,
} from '../../base/zone-time.ts'
import { field } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './clock.md'

interface TimeConversion {
  source: ZoneTime
  target: ZoneTime
  time_difference: string
}

export const clock = defineTool({
  name: 'clock',
  about,
  offer: { optional: true },
  input: z.object({
    time: field(z.optional(z.string()), 'Time of today to convert, HH:MM; default: now'),
    from: field(z.optional(z.string()), 'Zone of the given time; default: the local zone'),
    to: field(z.optional(z.string()), 'Zone of the answer; default: the local zone'),
  }),
  example: { time: '09:30', from: 'Europe/Berlin', to: 'Asia/Tokyo' },
  level: 'auto_read',
  async run({ time, from, to }): Promise<ToolResult<ZoneTime | TimeConversion>> {
    const target = readZone('to', to)
    if (time === undefined) {
      if (from !== undefined) throw badArgsError('`from` says where `time` is given, and there is no `time`')
      const now = zoneTimeAt(target, Date.now())
      return { text: describeTime(now), data: now }
    }
    const source = readZone('from', from)
    const at = findTimeToday(source, readTime(time), Date.now())
    const data = {
      source: zoneTimeAt(source, at),
      target: zoneTimeAt(target, at),
      time_difference: describeDifference(source, target, at),
    }
    const text = `${describeTime(data.source)}\nis ${describeTime(data.target)} (${data.time_difference})`
    return { text, data }
  },
})

const badArgsError = (message: string, hint?: string) =>
  new FailureError({ code: 'bad_args', message, hint: hint || undefined })

function readZone(name: string, zone: string | undefined): string {
  if (zone === undefined) return localZone()
  const zoneName = findZone(zone)
  if (zoneName !== undefined) return zoneName
  throw badArgsError(
    `\`${name}\`: unknown zone ${JSON.stringify(zone)}`,
    'Zones have names such as Europe/Berlin.',
  )
}

/**
 * Returns a time such as `14:30` as minutes after midnight. Throws FailureError `bad_args` for other text.
 */
function readTime(time: string): number {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
  if (hour === undefined)
    throw badArgsError(`\`time\` must be HH:MM from 00:00 to 23:59, got ${JSON.stringify(time)}`)
  return Number(hour) * 60 + Number(minute)
}

function describeTime({ timezone, datetime, day_of_week, is_dst }: ZoneTime): string {
  return `${datetime} ${day_of_week}, ${timezone}${is_dst ? ', daylight saving time' : ''}`
}
