// The tool clock: the current time, conversions, and rejected arguments.
import { expect, test } from 'vitest'
import { clock } from '../../../../internal/tools/session/clock.ts'
import { call, ctxWith } from '../../../support/ctx.ts'

const ask = (args: Record<string, unknown>) => call(clock, args, ctxWith())

test('returns the current time in another zone and in the local zone', async () => {
  const { data, text } = await ask({ to: 'Asia/Tokyo' })
  const told = data as { datetime: string; timezone: string; is_dst: boolean }
  expect(Math.abs(Date.parse(told.datetime) - Date.now())).toBeLessThan(30_000)
  expect(told).toMatchObject({ timezone: 'Asia/Tokyo', is_dst: false })
  expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+09:00 \w+day, Asia\/Tokyo$/)
  expect((await ask({})).data).toHaveProperty('timezone', Intl.DateTimeFormat().resolvedOptions().timeZone)
})

test('converts a time of today', async () => {
  const { data } = await ask({ time: '09:30', from: 'Asia/Tokyo', to: 'Asia/Kathmandu' })
  expect(data).toMatchObject({
    source: { timezone: 'Asia/Tokyo', datetime: expect.stringMatching(/T09:30:00\+09:00$/) },
    target: { timezone: 'Asia/Kathmandu', datetime: expect.stringMatching(/T06:15:00\+05:45$/) },
    time_difference: '-3.25h',
  })
})

test.each([
  [{ from: 'UTC' }],
  [{ to: 'Europe/Atlantis' }],
  [{ time: '9:30' }],
  [{ time: '24:00' }],
  [{ time: '12:60' }],
  [{ time: ' 12:00' }],
  [{ time: '12:00', from: 'Nowhere' }],
])('rejects %j', async (args) => {
  expect((await ask(args)).failed?.code).toBe('bad_args')
})
