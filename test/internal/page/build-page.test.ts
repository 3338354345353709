// A build that is started over HTTP, and its page in a real browser while it runs.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { giveToken } from '../../../internal/service/server/token-file.ts'
import { withBrowser } from '../../support/browser.ts'
import { type PlannedTask, planText, putModules, renameTask } from '../../support/build.ts'
import { type ServedData, servedData, startServer } from '../../support/http-server.ts'
import { findBarriers } from '../../support/page.ts'
import { plant } from '../../support/scratch.ts'

/** The page of a build, bundled as dist/page. */
export type BuildPageUnderTest = typeof import('../../../internal/page/main.ts')

/** Kills a process that may have ended. */
function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended
  }
}

/** Serves a repository with three modules and a plan. */
async function serve(tasks: readonly PlannedTask[]) {
  const at: ServedData = servedData([])
  const put = (path: string, text: string) => plant(at.cwd, { [path]: text })
  putModules({ dir: at.cwd, put }, ['a', 'b', 'c'])
  writeFileSync(join(at.cwd, 'plan.json'), planText(tasks))
  const server = await startServer(at)
  const start = async (more: object = {}) => {
    const { status, json } = await server.ask('/v1/builds', {
      body: { workspace: at.cwd, plan: 'plan.json', ...more },
    })
    return { status, id: String(json['id']), json }
  }
  const read = async (id: string) => (await server.ask(`/v1/builds/${id}`)).json
  onTestFinished(async () => {
    const { builds } = (await server.ask('/v1/builds')).json as { builds: { pid: number | null }[] }
    for (const { pid } of builds) if (pid !== null) killProcess(pid)
  })
  return { at, server, start, read }
}

withBrowser('builds of the server', (open) => {
  it('are started, read, followed and listed', async () => {
    const { at, server, start, read } = await serve(['a', 'b'].map((id) => renameTask(id)))
    const { status, id } = await start({ workers: 2 })
    expect(status).toBe(201)
    // the process ends shortly after the build
    const isOver = async () => (await read(id))['pid'] === null && (await read(id))['end']
    await expect.poll(isOver, { timeout: 60_000 }).toBe('done')
    expect(await read(id)).toMatchObject({
      ...{ goal: 'Rename', status: 'ended', proof: 'proven', queue: [], pid: null },
      tasks: [{ state: 'merged', blockers: [] }, { state: 'merged' }],
    })
    const { builds } = (await server.ask('/v1/builds')).json as { builds: object[] }
    expect(builds).toEqual([await read(id)])
    const cancelled = await server.ask(`/v1/builds/${id}/cancel`, { method: 'POST' })
    expect(cancelled.json).toEqual({ outcome: 'ended' })
    for (const path of ['nothing', '0'.repeat(26)])
      for (const end of ['', '/events'])
        expect((await server.ask(`/v1/builds/${path}${end}`)).status, path + end).toBe(404)
    const act = await giveToken(at.data, 'act', 60_000)
    const body = { workspace: at.cwd, plan: 'plan.json' }
    expect((await server.ask('/v1/builds', { body, token: act })).status).toBe(403)
    expect((await server.ask('/v1/builds', { body: { ...body, tasks: 3 } })).status).toBe(400)
    expect(await start({ plan: 'missing.yaml' })).toMatchObject({
      json: { title: 'cannot read missing.yaml' },
    })
  }, 120_000)

  it('shows each task live, and that for which it waits', async () => {
    const { server, start, read } = await serve([
      renameTask('a'),
      renameTask('b', { run: 'sleep 600', after: ['a'] }),
      renameTask('c', { scope: ['src/b/**', 'src/c/**'] }),
    ])
    const { page, complaints } = await open({ width: 1280, height: 900 })
    await page.goto(`http://127.0.0.1:${server.port}/#token=${server.token}`)
    const { id } = await start()
    await page.goto(`http://127.0.0.1:${server.port}/builds/${id}`)
    const row = (name: string) =>
      page.locator('.task', { has: page.locator(`.objective b:text-is("${name}")`) })
    await row('a').getByText('merged', { exact: true }).waitFor({ timeout: 60_000 })
    await row('b').getByText('running', { exact: true }).waitFor({ timeout: 60_000 })
    await row('c').getByText('waits for b').waitFor({ timeout: 60_000 })
    await page.getByText('running, 1 of 3 tasks merged').waitFor({ timeout: 60_000 })
    await page
      .locator('dt:text-is("base commit") + dd')
      .getByText(/^[0-9a-f]{10}$/)
      .waitFor()
    const facts = page.getByRole('complementary', { name: 'About this build' })
    await facts.getByText('critical path').waitFor()
    await facts.getByText('a, b', { exact: true }).waitFor()
    const events = page.getByRole('list', { name: 'Events' })
    await events.getByText(/^a {2}merged {2}[0-9a-f]{10}$/).waitFor()
    // the list shows its start, so the latest event is there
    await expect
      .poll(() => events.locator('li span').first().innerText())
      .toMatch(/^b\s+running\s+attempt 1$/)
    expect(await findBarriers(page)).toEqual([])
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, String(width)).toBeLessThanOrEqual(0)
      if (process.env['ANODE_SHOTS'])
        await page.screenshot({ path: `${process.env['ANODE_SHOTS']}/${width}.png` })
    }
    const { pid } = (await read(id)) as { pid: number }
    killProcess(pid)
    await page.getByText('its process is gone; anode build resume continues it').waitFor({ timeout: 60_000 })
    await page.goto(`http://127.0.0.1:${server.port}/`)
    await page.getByText('its process is gone, 1 of 3').waitFor({ timeout: 60_000 })
    expect(complaints).toEqual([])
  }, 180_000)
})
