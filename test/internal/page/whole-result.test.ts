// Truncated results in full, in a real browser: part by part, by keyboard, of a run and of its agents.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withBrowser } from '../../support/browser.ts'
import { servedData, startServer } from '../../support/http-server.ts'
import { findBarriers } from '../../support/page.ts'

/** The code under test, bundled as dist/page. */
export type WholeResultUnderTest = typeof import('../../../internal/page/main.ts')

const bash = (command: string) => ({ calls: [{ name: 'bash', args: { command } }] })

withBrowser('a cut result', (open) => {
  it('is shown in full in parts by keyboard, and as text alone, also for an agent', async () => {
    const title = 'Count far'
    const hostile = `printf '<img src=x onerror=alert(1)> \\342\\200\\256 end\\n'`
    const at = servedData([
      bash(`seq 100000 160000; ${hostile}`),
      { calls: [{ name: 'task', args: { title, goal: 'count' } }] },
      { task: title, ...bash('seq 1 20000') },
      { task: title, text: 'Counted.' },
      { text: 'All is counted.' },
    ])
    const server = await startServer(at)
    const begun = await server.ask('/v1/runs', { body: { ...at.wishes('Count'), mode: 'unrestricted' } })
    const { page, hosts, complaints } = await open({ width: 390 })
    await page.goto(`http://127.0.0.1:${server.port}/runs/${begun.json['thread']}#token=${server.token}`)
    await page.getByText('All is counted.').waitFor({ timeout: 60_000 })
    const call = page.locator('details.call', { hasText: 'seq 100000' })
    await call.locator('summary').focus()
    await page.keyboard.press('Enter')
    const result = call.locator('pre').last()
    expect(await result.innerText()).not.toContain('130000')
    await call.getByRole('button', { name: 'Show the whole result' }).focus()
    await page.keyboard.press('Enter')
    await call.getByText('200,000 of 420,0').waitFor()
    expect(await result.innerText()).toMatch(/^100000\n100001\n/)
    expect(await findBarriers(page)).toEqual([])
    const more = call.getByRole('button', { name: 'Show more' })
    await more.focus()
    await page.keyboard.press('Enter')
    await call.getByText('400,000 of 420,0').waitFor()
    await page.keyboard.press('Enter')
    await more.waitFor({ state: 'detached' })
    const whole = await result.innerText()
    expect(whole.trimEnd().split('\n').slice(0, 60_001)).toEqual(
      Array.from({ length: 60_001 }, (_, n) => String(100_000 + n)),
    )
    expect(whole).toContain('<img src=x onerror=alert(1)> \\u{202e} end')
    expect(await call.locator('img').count()).toBe(0)
    // after the button is pressed, the keys scroll at once
    expect(await result.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await findBarriers(page)).toEqual([])

    const agent = page.locator('details.call', { hasText: title })
    await agent.locator('summary').first().click()
    await agent.getByRole('link', { name: 'the agent that it has started' }).click()
    await page.getByText('Counted.', { exact: true }).waitFor()
    const its = page.locator('details.call', { hasText: 'seq 1 20000' })
    await its.locator('summary').click()
    for (const name of readdirSync(join(at.data, 'blob')))
      rmSync(join(at.data, 'blob', name), { recursive: true })
    await its.getByRole('button', { name: 'Show the whole result' }).click()
    await its.getByRole('alert').getByText('this text is no longer kept').waitFor()
    expect([...hosts]).toEqual([`127.0.0.1:${server.port}`])
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
  }, 180_000)
})
