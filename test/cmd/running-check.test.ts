// A check that runs: its command and number are shown on the page, in a session, in an attached terminal,
// by the plain screen and in the JSON of a run, and only while it runs.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withBrowser } from '../support/browser.ts'
import { eventsOf, ofType } from '../support/events.ts'
import { proofFixtures, proofWorld } from '../support/proof-project.ts'
import { openScreenWorld, typeLine } from '../support/screen-program.ts'

const timeout = 240_000
const make = { calls: [{ name: 'create_file', args: { path: 'made', content: '' } }] }
const replies = [make, { text: 'It is made.' }]
const untilReleased = 'until [ -e go ]; do sleep 0.1; done\n'

withBrowser('a background run whose check runs', (open) => {
  it('shows it on the page and in an attached terminal', { timeout }, async () => {
    const at = openScreenWorld(replies)
    at.put('wait.sh', `[ -e made ] || exit 1\n${untilReleased}`)
    const words = ['--until', 'sh wait.sh', '--approval', 'unrestricted', ...at.model]
    const begun = await at.anode(['runs', 'start', 'Make it', ...words])
    expect(begun.code, begun.err).toBe(0)
    const served = at.start(['serve', '--port', '0'], { columns: 120 })
    await served.until(/serve --open/, 60_000)
    const { page, complaints } = await open()
    await page.goto(/http:\S+#code=[\w-]{32}/.exec(served.lines())?.[0] ?? '')
    await page.locator('.row', { hasText: 'Make it' }).getByRole('link').first().click()
    const running = page.getByText('checking: sh wait.sh, 1 of 5')
    await running.waitFor({ timeout: 60_000 })
    const attached = at.start(['attach'], { columns: 100, rows: 30 })
    await attached.until(/checking: sh wait\.sh, 1 of 5 {2}\d/, 60_000)
    at.put('go', '')
    await page.getByText('proven by sh wait.sh').waitFor({ timeout: 60_000 })
    expect(await running.count()).toBe(0)
    await attached.until(() => /proven by sh wait\.sh/.test(attached.rows()), 60_000)
    expect(attached.rows()).not.toContain('checking:')
    expect(complaints).toEqual([])
    attached.type('\x04')
    expect(await attached.exit).toBe(0)
    expect(await at.anode(['serve', 'stop'])).toMatchObject({ out: 'stopped\n' })
  })
})

it.each([
  ['a session', 'inline'],
  ['the plain screen', 'plain'],
])('%s shows the check of a goal, also before the first request', { timeout }, async (_, form) => {
  const at = openScreenWorld(replies)
  at.put('wait.sh', `${untilReleased}[ -e made ]\n`)
  const screen = at.start([...at.model, '--approval', 'unrestricted', '--screen', form], { rows: 30 })
  await screen.until(/\/help|\? help/, 60_000)
  await typeLine(screen, '/goal sh wait.sh')
  await screen.until(/checking: sh wait\.sh, before the start/, 60_000)
  at.put('go', '')
  await screen.until(/proven by sh wait\.sh/, 60_000)
  if (form === 'plain') expect(screen.screen()).toMatch(/checking: sh wait\.sh, 1 of 5/)
  else expect(screen.rows()).not.toContain('checking:')
  screen.type('\x04')
  expect(await screen.exit).toBe(0)
})

it('the JSON of a run has each start and end, and the record has none', { timeout }, async () => {
  const at = proofWorld()
  const model = ['--model', `script:${join(proofFixtures, 'cheat-emptied.jsonl')}`]
  const words = ['--until', 'npm test', '--approval', 'unrestricted', '--stream-json']
  try {
    const { out } = await at.anode(['execute', 'Fix add', ...model, ...words])
    const events = eventsOf(out)
    const running = ofType(events, 'check.running').map(({ payload: { check } }) => check)
    const start = { command: 'npm test', limit: 5, originals: 'kept' }
    const [first, end, kept, restored] = running
    expect([first, end]).toEqual([{ ...start, attempt: 0 }, null])
    expect([kept, restored]).toEqual([
      { ...start, attempt: 1 },
      { ...start, attempt: 1, originals: 'restored' },
    ])
    expect(running.at(-1)).toBe(null)
    const [init] = ofType(events, 'system.init')
    const stored = await at.anode(['threads', 'export', init?.payload.thread ?? '', '--format', 'jsonl'])
    expect(stored.out).toContain('"check.ran"')
    expect(stored.out).not.toContain('check.running')
  } finally {
    at.remove()
  }
})

it('a check that cannot start ends with 2', { timeout }, async () => {
  const at = proofWorld()
  const model = ['--model', `script:${join(proofFixtures, 'fix.jsonl')}`]
  const { code, err } = await at.anode(['execute', 'Fix', '--until', 'no-such', '--stream-json', ...model])
  at.remove()
  expect([code, err]).toEqual([2, expect.stringContaining('the check cannot start: no-such')])
})
