// Controls of the page in a real browser: runs switched, undone and forked, studies and loops ended.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { program } from '../../support/anode.ts'
import { withBrowser } from '../../support/browser.ts'
import { type ServedData, servedData, startServer } from '../../support/http-server.ts'
import { findBarriers, studyOfLocks } from '../../support/page.ts'
import { repoWith } from '../../support/repo.ts'

/** The code under test, bundled as dist/page. */
export type ControlsUnderTest = typeof import('../../../internal/page/main.ts')

function start(at: ServedData, words: readonly string[], cwd = at.cwd): ChildProcess {
  const child = spawn(process.execPath, [program, ...words], { cwd, env: at.place.env, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

withBrowser('what can be done on the page', (open) => {
  it('switches a run, restores its files after a preview, forks it, and keeps its end in view', async () => {
    const write = { calls: [{ name: 'create_file', args: { path: 'made.txt', content: 'x\n' } }] }
    const long = Array.from({ length: 60 }, (_, n) => `## Part ${n}\n\n- [a${n}](file:///etc/passwd) **b**`)
    const deep = `${'> '.repeat(9_000)}a\n\n${'*b '.repeat(900)}${' b*'.repeat(900)}`
    const nested = `${Array.from({ length: 60 }, (_, n) => `${' '.repeat(2 * n)}- c`).join('\n')}\n\n`
    const again = { calls: [{ name: 'glob', args: { pattern: '*' } }] }
    const replies = [
      { text: deep, ...again },
      { text: nested, ...again },
    ]
    const at = servedData([write, ...replies, { text: `${long.join('\n\n')}\n\nThe end.` }])
    const server = await startServer(at)
    const begun = await server.ask('/v1/runs', { body: { ...at.wishes('Make it'), mode: 'edits' } })
    const { page, complaints } = await open()
    await page.goto(`http://127.0.0.1:${server.port}/runs/${begun.json['thread']}#token=${server.token}`)
    await page.getByRole('status').getByText('done').waitFor()
    await page.getByText('The end.').waitFor()
    await expect.poll(() => page.locator('.composer').evaluate(isInSight), { timeout: 10_000 }).toBe(true)
    expect(await page.locator('.answer').getByRole('link').count()).toBe(0)
    await page.getByText('Change profile, model or mode').click()
    await page.getByRole('combobox', { name: 'Model' }).selectOption('builtin/extract')
    await page.locator('.facts').getByText('builtin/extract').waitFor()
    await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('plan')
    await page.locator('.facts').getByText('plan', { exact: true }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Undo file changes of the last run' }).click()
    const shown = page.getByRole('region', { name: 'Undo' })
    expect(await shown.innerText()).toMatch(/made\.txt[\s\S]*- x/)
    expect(existsSync(join(at.cwd, 'made.txt'))).toBe(true)
    await shown.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('1 file restored.').waitFor()
    expect(existsSync(join(at.cwd, 'made.txt'))).toBe(false)
    const before = page.url()
    await page.getByRole('button', { name: 'Fork', exact: true }).click()
    await expect.poll(() => page.url()).not.toBe(before)
    await page.getByText('The end.').waitFor()
    expect(complaints).toEqual([])
  })

  it('shows the agents of a run and in every view the waiting calls, and draws quickly', async () => {
    const child = { name: 'task', args: { title: 'Look around', goal: 'Look', read_only: true } }
    const look = { calls: [{ name: 'glob', args: { pattern: '*.txt' } }] }
    const ask = { calls: [{ name: 'create_file', args: { path: 'b.txt', content: 'b' } }] }
    const at = servedData([{ calls: [child] }, look, { text: 'Looked.' }, ask])
    const server = await startServer(at)
    const { page, complaints } = await open({ width: 390 })
    await page.context().grantPermissions(['notifications'])
    // the page counts as hidden, and its notifications are recorded
    await page.addInitScript(() => {
      const shown: string[] = []
      class Notice {
        static permission = 'granted'
        constructor(title: string) {
          shown.push(title)
        }
      }
      Object.defineProperty(document, 'hidden', { get: () => true })
      Object.assign(globalThis, { Notification: Notice, shown })
    })
    await page.goto(`http://127.0.0.1:${server.port}/usage#token=${server.token}`)
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
    const begun = await server.ask('/v1/runs', { body: at.wishes('Delegate it') })
    await page.getByRole('link', { name: '1 waits' }).click({ timeout: 20_000 })
    expect(page.url()).toContain(String(begun.json['thread']))
    const notices = () => page.evaluate(() => (globalThis as unknown as { shown: string[] }).shown)
    expect(await notices()).toEqual(['Waiting: create_file'])
    const tree = page.locator('.tree')
    await tree.getByText('Look around').click()
    await tree.locator('code', { hasText: 'glob' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await tree.getByRole('link', { name: 'open' }).click()
    await page.getByText('Looked.').waitFor()
    expect(complaints).toEqual([])
    const paints: number[] = []
    for (let i = 0; i < 3; i++) {
      await page.goto(`http://127.0.0.1:${server.port}/`)
      paints.push(await page.evaluate(measurePaint))
    }
    expect(Math.min(...paints)).toBeLessThanOrEqual(300)
  })

  it('ends one worker of a study, whose task continues, and then the study', async () => {
    const at = servedData([])
    const server = await startServer(at)
    const study = start(at, studyOfLocks(at.cwd).words)
    const ended = once(study, 'close')
    const { page, complaints } = await open()
    await page.goto(`http://127.0.0.1:${server.port}/#token=${server.token}`)
    const listed = async () => (await server.ask('/v1/studies')).json['studies'] as { id: string }[]
    await expect.poll(listed, { timeout: 30_000 }).toHaveLength(1)
    await page.goto(`http://127.0.0.1:${server.port}/studies/${(await listed())[0]?.id}`)
    const task = page.locator('.task.running', { hasText: 't1' })
    await task.getByRole('button', { name: 'Stop this worker' }).click()
    await task.getByRole('button', { name: 'Stop it; another worker continues' }).click()
    await expect
      .poll(() => page.locator('.task', { hasText: 't1' }).locator('.time-bar .lost').count(), {
        timeout: 30_000,
      })
      .toBe(1)
    await task.waitFor()
    await page.getByRole('button', { name: 'Cancel the study' }).click()
    await page.getByRole('button', { name: 'Cancel it now' }).click()
    await page.getByRole('status').getByText('cancelled').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await ended
    expect(complaints).toEqual([])
  })

  it('pauses a loop of experiments, resumes it, and stops it', async () => {
    const at = servedData([])
    const edits = (n: number) => [{ file: 'speed.txt', text: `${100 + n}\n` }]
    const script = Array.from({ length: 40 }, (_, n) => ({ description: `try ${n}`, edits: edits(n) }))
    const config = { name: 'try', primary_metric: 'ms', direction: 'lower', scope: ['speed.txt'] }
    const dir = repoWith({
      'speed.txt': '100\n',
      '.auto/measure.sh': 'sleep 0.02; echo "METRIC ms=$(cat speed.txt)"\n',
      '.auto/config.json': JSON.stringify(config),
      '.auto/ideas.md': '# Later\n\n- *one* more\n',
      'script.json': JSON.stringify(script),
    })
    const server = await startServer(at)
    const words = [
      'research',
      'auto',
      '--policy',
      'scripted:script.json',
      '--parallel',
      '1',
      '--max-runs',
      '40',
    ]
    const loop = start(at, words, dir)
    const ended = once(loop, 'close')
    const { page, complaints } = await open()
    await page.goto(`http://127.0.0.1:${server.port}/#token=${server.token}`)
    await expect.poll(() => sessionsOf(at), { timeout: 30_000 }).toHaveLength(1)
    await page.goto(`http://127.0.0.1:${server.port}/research/${sessionsOf(at)[0]}`)
    await page.getByRole('button', { name: 'Pause' }).click({ timeout: 30_000 })
    await page.getByRole('status').getByText('paused').waitFor()
    await page.locator('.ideas em', { hasText: 'one' }).waitFor()
    const rows = () => page.locator('tbody tr').count()
    await expect.poll(rows, { timeout: 30_000 }).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Resume' }).click()
    const before = await rows()
    await expect.poll(rows, { timeout: 30_000 }).toBeGreaterThan(before + 1)
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('button', { name: 'Stop the loop now' }).click()
    expect(await ended).toEqual([130, null])
    await page.getByRole('button', { name: 'Pause' }).waitFor({ state: 'detached' })
    expect(await findBarriers(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})

const isInSight = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect()
  return scrollY > 200 && top >= 0 && bottom <= innerHeight + 1
}

/** Returns the ids of the sessions whose loop has started. */
function sessionsOf({ data }: ServedData): string[] {
  const home = join(data, 'research')
  if (!existsSync(home)) return []
  return readdirSync(home).flatMap((name) =>
    readdirSync(join(home, name), { withFileTypes: true }).flatMap((entry) =>
      existsSync(join(home, name, entry.name, 'loop.json')) ? [`${name}.${entry.name}`] : [],
    ),
  )
}

/** Returns the milliseconds from the first byte of the document to the first contents on the screen. */
async function measurePaint(): Promise<number> {
  const paint = () => performance.getEntriesByName('first-contentful-paint')[0]
  while (!paint()) await new Promise((resolve) => setTimeout(resolve, 20))
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return (paint()?.startTime ?? 0) - (page?.responseStart ?? 0)
}
