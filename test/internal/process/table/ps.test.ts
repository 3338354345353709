// The process table by way of `ps`: both dialects' rows, and this system's own.
import { spawn } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listByPs, parsePsRows } from '../../../../internal/process/table/ps.ts'

test('reads rows as Linux and macOS print them', () => {
  const text = `    1     0     1 Ss   Thu Nov 20 08:00:01 2025 /sbin/init
  812   800   812 Z    Thu Nov 20 09:10:11 2025 [bash] <defunct>
90123     1 90100 S+   Mon Jan  5 23:59:59 2026 sleep 60 PATH=/bin ANODE_RUN=ABC.1.
not a row
`
  const at = (date: string) => Date.parse(`${date}Z`) / 1000
  expect(parsePsRows(text)).toEqual([
    { pid: 1, parent: 0, group: 1, zombie: false, start: at('2025-11-20T08:00:01'), text: '/sbin/init' },
    {
      pid: 812,
      parent: 800,
      group: 812,
      zombie: true,
      start: at('2025-11-20T09:10:11'),
      text: '[bash] <defunct>',
    },
    {
      pid: 90123,
      parent: 1,
      group: 90100,
      zombie: false,
      start: at('2026-01-05T23:59:59'),
      text: 'sleep 60 PATH=/bin ANODE_RUN=ABC.1.',
    },
  ])
})

/** Zones on both sides of UTC, with halves and quarters of hours, with and without summer time. */
const zones = [
  ...['UTC', 'Asia/Kolkata', 'Pacific/Chatham', 'America/St_Johns'],
  ...['Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Kiritimati'],
]

describe.each(zones)('ps in the time zone %s', (zone) => {
  test('finds a child process with its environment and start time', async () => {
    setZone(zone)
    const env = { PATH: process.env.PATH, MARK: 'abc.1.' }
    const started = spawn('sleep', ['600'], { env, detached: true })
    onTestFinished(() => {
      started.kill('SIGKILL')
    })
    const row = (await listByPs()).find((one) => one.pid === started.pid)
    expect(row).toMatchObject({ parent: process.pid, group: started.pid, zombie: false })
    expect(row?.text).toContain('MARK=abc.1.')
    expect(Math.abs((row?.start ?? 0) - Date.now() / 1000)).toBeLessThan(60)
  })

  test('reads every hour of a year, also when the clock goes back', () => {
    setZone(zone)
    const first = Date.UTC(2026, 0, 1)
    const hours = Array.from({ length: 365 * 24 }, (_, hour) => first + hour * 3_600_000)
    const rows = parsePsRows(hours.map((at) => `7 1 7 S ${formatStart(at)} sleep`).join('\n'))
    const wrong = hours.filter((at, i) => rows[i]?.start !== at / 1000)
    expect(wrong.slice(0, 3).map(formatStart)).toEqual([])
  })
})

function setZone(zone: string): void {
  const before = process.env.TZ
  process.env.TZ = zone
  onTestFinished(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })
}

/** Returns a time as `ps` prints it in UTC: `Mon Jan  5 23:59:59 2026`. */
function formatStart(at: number): string {
  const [day = '', date = '', month, year, clock] = new Date(at).toUTCString().replace(',', '').split(' ')
  return `${day} ${month} ${String(Number(date)).padStart(2)} ${clock} ${year}`
}
