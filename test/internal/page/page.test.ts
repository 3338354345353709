// The page in a real browser: runs started and answered in it, interrupted streams, and permissions.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { appendEntry, parseLedger } from '../../../internal/research/ledger/ledger.ts'
import { giveToken } from '../../../internal/service/server/token-file.ts'
import { program } from '../../support/anode.ts'
import { withBrowser } from '../../support/browser.ts'
import { servedData, startServer } from '../../support/http-server.ts'
import { findBarriers, studyOfLocks } from '../../support/page.ts'
import { lines, run } from '../research/report/sample.ts'

/** The code under test, bundled as dist/page. */
export type PageUnderTest = typeof import('../../../internal/page/main.ts')

const write = { calls: [{ name: 'create_file', args: { path: 'made.txt', content: 'x <b>y</b>\n' } }] }
withBrowser('the page', (open) => {
  it('starts a run, shows the waiting call as the terminal does, and approves it', async () => {
    const hostile = 'Made <img src=x onerror=alert(1)> \u202e[js](javascript:alert(1)) https://example.org/a.'
    const at = servedData([write, { text: hostile }])
    const server = await startServer(at)
    const { page, hosts, complaints } = await open({ width: 390, dark: true })
    await page.goto(`http://127.0.0.1:${server.port}/#token=${server.token}`)
    await page.getByText('Start a run, study').click()
    expect(page.url()).toBe(`http://127.0.0.1:${server.port}/`)
    await page.getByLabel('Task').fill('Make it')
    await page.getByLabel('Workspace').fill(at.cwd)
    await page.getByRole('button', { name: 'Start' }).click()
    const asked = page.getByRole('group', { name: /Allow create_file/ })
    await asked.waitFor()
    expect(await asked.innerText()).toContain('+x <b>y</b>')
    expect(await findBarriers(page)).toEqual([])
    await asked.press('y')
    await page.getByRole('status').getByText('done').waitFor()
    expect(readFileSync(join(at.cwd, 'made.txt'), 'utf8')).toBe('x <b>y</b>\n')
    const answer = page.locator('.answer').last()
    expect(await answer.innerText()).toContain('<img src=x onerror=alert(1)> \\u202e[js](javascript:')
    expect(await answer.locator('img').count()).toBe(0)
    const links = answer.getByRole('link')
    expect(await links.count()).toBe(1)
    expect(await links.getAttribute('rel')).toContain('noopener')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.getByRole('link', { name: 'Permissions' }).click()
    await page.locator('.decisions summary', { hasText: 'create_file' }).click()
    await page.locator('.chain', { hasText: 'allow: ' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect([...hosts]).toEqual([`127.0.0.1:${server.port}`])
    expect(complaints).toEqual([])
  })

  it('allows all edits of the session with one answer', async () => {
    const other = { calls: [{ name: 'create_file', args: { path: 'other.txt', content: 'z\n' } }] }
    const at = servedData([write, other, { text: 'Both are made.' }])
    const server = await startServer(at)
    const begun = await server.ask('/v1/runs', { body: at.wishes('Make two') })
    const { page, complaints } = await open()
    await page.goto(`http://127.0.0.1:${server.port}/#token=${server.token}`)
    await page.getByRole('link', { name: 'Make two' }).click()
    await expect.poll(() => page.url()).toContain(`/runs/${begun.json['thread']}`)
    await page.getByRole('button', { name: 'Allow all edits in this session' }).click()
    await page.getByText('Both are made.').waitFor()
    expect(readFileSync(join(at.cwd, 'other.txt'), 'utf8')).toBe('z\n')
    expect(complaints).toEqual([])
  })

  it('denies with a reason, answers a question, steers, queues and stops', async () => {
    const options = [{ id: 'a', label: 'Apples' }]
    const ask = { name: 'ask_user', args: { question: 'Which fruit?', options, allow_freeform: true } }
    const wait = { text: 'Looking.', calls: [{ name: 'glob', args: { pattern: '*' } }], delay_ms: 1_500 }
    const at = servedData([write, { calls: [ask] }, wait, { text: 'Never.', delay_ms: 60_000 }])
    const server = await startServer(at)
    const begun = await server.ask('/v1/runs', { body: at.wishes('Ask me') })
    const { page, complaints } = await open()
    await page.goto(`http://127.0.0.1:${server.port}/#token=${server.token}`)
    await page.getByRole('link', { name: 'Ask me' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain(`/runs/${begun.json['thread']}`)
    await page.getByLabel('Deny and say why').fill('not <here>')
    await page.getByRole('button', { name: 'Deny with these words' }).click()
    const question = page.getByRole('form', { name: 'Question' })
    await question.getByLabel('Apples').check()
    await question.getByLabel('In own words').fill('green ones')
    await question.getByRole('button', { name: 'Answer' }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByLabel('Steer it').fill('quickly')
    await page.getByLabel('Steer it').press('Enter')
    await page.locator('.user', { hasText: 'quickly' }).waitFor()
    await page.getByLabel('Steer it').fill('and then?')
    await page.getByRole('button', { name: 'Queue' }).click()
    await page.locator('.queued', { hasText: 'and then?' }).waitFor()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.locator('.queued').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Say' }).waitFor()
    const results = await page.locator('.call').evaluateAll((calls) => calls.map((call) => call.textContent))
    expect(results.join('\n')).toMatch(/not <here>[\s\S]*green ones/)
    expect(complaints).toEqual([])
  })

  it('shows each stored event once, after a reload and after a restart of the server', async () => {
    const look = (n: number) => ({
      text: `Step ${n}.`,
      calls: [{ name: 'glob', args: { pattern: `*.t${n}` } }],
      delay_ms: 150,
    })
    const at = servedData([...Array.from({ length: 12 }, (_, n) => look(n)), { text: 'It is over.' }])
    const server = await startServer(at)
    const begun = await server.ask('/v1/runs', { body: at.wishes('Read') })
    const { page } = await open()
    const { port } = server
    const address = `http://127.0.0.1:${port}/runs/${begun.json['thread']}`
    await page.goto(`${address}#token=${server.token}`)
    await page.getByText('Step 1.').waitFor()
    await page.reload()
    await page.getByText('Step 3.').waitFor()
    await server.stop()
    await page.getByText('connection lost').waitFor()
    await startServer(at, port)
    await page.getByText('It is over.').waitFor({ timeout: 20_000 })
    await page.getByRole('status').getByText('done').waitFor()
    const texts = await page.locator('.answer').allInnerTexts()
    expect(texts).toEqual([...Array.from({ length: 12 }, (_, n) => `Step ${n}.`), 'It is over.'])
    const counts = await page
      .locator('.run-page')
      .evaluate(({ dataset }) => [dataset['position'], dataset['stored']])
    expect(Number(counts[0])).toBeGreaterThan(24)
    expect(counts[0]).toBe(counts[1])
  })

  it('follows a study with three workers, one of which is killed, to its report', async () => {
    const at = servedData([])
    const server = await startServer(at)
    const { words, release } = studyOfLocks(at.cwd)
    const child = spawn(process.execPath, [program, ...words], {
      cwd: at.cwd,
      env: at.place.env,
      stdio: 'pipe',
    })
    const ended = once(child, 'close')
    onTestFinished(() => void child.kill('SIGKILL'))
    let id = ''
    let worker = 0
    const entries: string[] = []
    createInterface({ input: child.stderr }).on('line', (line) => {
      entries.push(line)
      const entry = JSON.parse(line) as {
        kind: string
        task?: string
        attempt?: number
        pid?: number
        id?: string
      }
      const { kind, task, attempt, pid } = entry
      if (kind === 'study') id = entry.id ?? ''
      if (kind === 'task.started' && task === 't1' && attempt === 1 && pid) worker = pid
    })
    const { page, hosts, complaints } = await open({ width: 390 })
    await page.goto(`http://127.0.0.1:${server.port}/#token=${server.token}`)
    await expect.poll(() => id, { timeout: 20_000 }).not.toBe('')
    await page.goto(`http://127.0.0.1:${server.port}/studies/${id}`)
    await page.locator('.task.running', { hasText: 't1' }).waitFor()
    await page.reload()
    release()
    // in the middle of its first step, which takes long
    process.kill(worker, 'SIGKILL')
    expect([await ended, entries.slice(-8)]).toEqual([[0, null], expect.anything()])
    await page.getByRole('status').getByText('done').waitFor()
    expect(await page.locator('.task.done').count()).toBe(3)
    // The loss is a separate entry only if no worker was free to take the task at once.
    expect((await page.locator('.entries').innerText()).match(/task started\s+t1/g)).toHaveLength(2)
    const claim = page.locator('.claim').first()
    await claim.getByText('Source lines').click()
    expect(await claim.locator('mark').innerText()).toMatch(/1 {2}The store locks files with O_EXCL\./)
    await page.locator('.report', { hasText: 'It locks' }).waitFor()
    const counts = await page.locator('.run-page').evaluate(({ dataset }) => ({ ...dataset }))
    expect(Number(counts['position'])).toBeGreaterThan(20)
    expect(counts['stored']).toBe(counts['position'])
    expect(await findBarriers(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.goto(`http://127.0.0.1:${server.port}/`)
    await page.getByRole('link', { name: 'what of locks?' }).waitFor()
    expect([...hosts]).toEqual([`127.0.0.1:${server.port}`])
    expect(complaints).toEqual([])
  })

  it('shows an experiment session as it grows, and its usage', async () => {
    const at = servedData([{ text: 'Done.', usage: { in: 1_200, out: 34, usd: 0.5 } }])
    const dir = join(at.data, 'research', 'shop-ab12', 'try')
    mkdirSync(dir, { recursive: true })
    let ledger = parseLedger(new Uint8Array(), '')
    const append = async (line: { type: string }) => {
      ledger = await appendEntry(join(dir, 'ledger.jsonl'), ledger, line)
    }
    for (const line of lines) await append(line)
    const server = await startServer(at)
    await server.ask('/v1/runs', { body: at.wishes('Use something') })
    const { page, hosts, complaints } = await open({ width: 390, dark: true })
    await page.goto(`http://127.0.0.1:${server.port}/#token=${server.token}`)
    await page.locator('a[href^="/research/"]').click()
    await page.getByRole('row').nth(6).waitFor()
    await page.locator('.chart canvas').waitFor()
    await append(run(7, { status: 'discard', reason: 'worse', description: 'One <i>more</i>' }))
    await page.getByRole('cell', { name: 'One <i>more</i>' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('row', { name: /all 1 1k 0 % 34 \$0\.50/ }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect([...hosts]).toEqual([`127.0.0.1:${server.port}`])
    expect(complaints).toEqual([])
  })

  it('asks for a token, and shows no controls to a read-only user', async () => {
    const at = servedData([write])
    const server = await startServer(at)
    const begun = await server.ask('/v1/runs', { body: at.wishes('Make it') })
    const { page } = await open()
    await page.goto(`http://127.0.0.1:${server.port}/runs/${begun.json['thread']}#token=${'x'.repeat(43)}`)
    await page.getByRole('heading', { name: 'This page needs a token' }).waitFor()
    await page.getByLabel('Token').fill(await giveToken(at.data, 'read', 60_000))
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('group', { name: /Allow create_file/ }).waitFor()
    const names = await page.getByRole('button').allInnerTexts()
    expect(names.filter((name) => name !== 'Notify me of questions')).toEqual([])
    const cookies = await page.context().cookies()
    expect(cookies).toMatchObject([{ httpOnly: true, sameSite: 'Strict', name: `anode-${server.port}` }])
    expect(await page.evaluate(() => document.cookie)).toBe('')
  })
})
