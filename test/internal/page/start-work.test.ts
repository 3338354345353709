// Studies, builds and experiments that are started with the form of the page, in a real browser.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { giveToken } from '../../../internal/service/server/token-file.ts'
import { withBrowser } from '../../support/browser.ts'
import { planText, putModules, renameTask } from '../../support/build.ts'
import { servedData, startServer } from '../../support/http-server.ts'
import { findBarriers } from '../../support/page.ts'
import { git } from '../../support/repo.ts'
import { plant } from '../../support/scratch.ts'

/** The page with the form, bundled as dist/page. */
export type FormPage = typeof import('../../../internal/page/main.ts')

withBrowser('the form of the page', (open) => {
  it('starts a study and an experiment, and keeps what was typed after an error', async () => {
    const edit = { calls: [{ name: 'edit_file', args: { path: 'speed.txt', old: '100', new: '50' } }] }
    const at = servedData([edit, { text: 'Twice as fast.' }])
    writeFileSync(join(at.cwd, 'lock.md'), 'The store locks its files with O_EXCL.\n')
    const server = await startServer(at)
    const { page, complaints } = await open({ width: 390 })
    const home = `http://127.0.0.1:${server.port}/`
    await page.goto(`${home}#token=${server.token}`)
    const openForm = async (kind: string) => {
      await page.goto(home)
      await page.getByText('Start a run, study, build or experiment').click()
      await page.getByLabel('Kind').selectOption(kind)
      await page.getByLabel('Workspace').last().fill(at.cwd)
    }
    const press = () => page.getByRole('button', { name: 'Start' }).click()

    await openForm('study')
    await page.getByLabel('Question').fill('locks')
    await page.getByLabel('Model').last().fill('missing/nothing')
    await press()
    await expect.poll(() => page.locator('.start .problem').innerText()).toMatch(/missing/)
    expect(await page.getByLabel('Question').inputValue()).toBe('locks')
    await page.getByLabel('Question').fill('How does the store lock its files?')
    await page.getByLabel('Model').last().fill('builtin/extract')
    await press()
    await page.waitForURL(/\/studies\/\w{26}$/)
    await page.locator('.report', { hasText: 'O_EXCL' }).waitFor()

    await openForm('experiment')
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Name').fill('speed')
    await page.getByLabel('Metric').fill('ms')
    await page.getByLabel('Command').fill('bash .auto/measure.sh')
    await page.getByLabel('Files that may change').fill('speed.txt')
    await page.getByRole('spinbutton', { name: 'Runs' }).fill('1')
    await press()
    // the workspace has no repository yet
    await expect.poll(() => page.locator('.start .problem').innerText(), { timeout: 30_000 }).toMatch(/git/)
    expect(await page.getByLabel('Name').inputValue()).toBe('speed')
    mkdirSync(join(at.cwd, '.auto'))
    writeFileSync(join(at.cwd, '.auto', 'measure.sh'), 'echo "METRIC ms=$(cat speed.txt)"\n')
    writeFileSync(join(at.cwd, 'speed.txt'), '100\n')
    for (const words of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-qm', 'first'],
    ])
      git(at.cwd, ...words)
    await press()
    await page.waitForURL(/\/research\/[\w.-]+$/, { timeout: 60_000 })
    await page.getByRole('row', { name: /baseline/ }).waitFor({ timeout: 60_000 })
    expect(complaints.filter((text) => !/status of 422/.test(text))).toEqual([])
  })

  it('starts a build of a plan file, and keeps what was typed after an error', async () => {
    const at = servedData([])
    putModules({ dir: at.cwd, put: (path, text) => plant(at.cwd, { [path]: text }) }, ['a'])
    writeFileSync(join(at.cwd, 'plan.json'), planText([renameTask('a')], { until: [] }))
    const server = await startServer(at)
    const { page, complaints } = await open({ width: 390 })
    await page.goto(`http://127.0.0.1:${server.port}/#token=${server.token}`)
    await page.getByText('Start a run, study, build or experiment').click()
    await page.getByLabel('Kind').selectOption('build')
    await page.getByLabel('Workspace').last().fill(at.cwd)
    expect(await findBarriers(page)).toEqual([])
    const press = () => page.getByRole('button', { name: 'Start' }).click()
    const problem = () => expect.poll(() => page.locator('.start .problem').innerText(), { timeout: 30_000 })
    await press()
    await problem().toMatch(/a build needs a goal or a plan/)
    await page.getByLabel('Plan file').fill('plan.json')
    await press()
    await problem().toMatch(/plan\.json:1: task "a" has no check/)
    expect(await page.getByLabel('Plan file').inputValue()).toBe('plan.json')
    await page.getByLabel('Check after each merge').fill('node test/all.test.js')
    await page.getByLabel('Tasks at once').fill('2')
    await press()
    await page.waitForURL(/\/builds\/\w{26}$/, { timeout: 60_000 })
    await page.getByText('done, 1 of 1 task merged').waitFor({ timeout: 60_000 })
    expect(complaints.filter((text) => !/status of 422/.test(text))).toEqual([])
  })

  it('offers builds and experiments only to tokens that may approve', async () => {
    const at = servedData([])
    const server = await startServer(at)
    const act = await giveToken(at.data, 'act', 60_000)
    const { page } = await open()
    await page.goto(`http://127.0.0.1:${server.port}/#token=${act}`)
    await page.getByText('Start a run, study, build or experiment').click()
    expect(await page.getByLabel('Kind').locator('option').allInnerTexts()).toEqual(['run', 'study'])
    const wishes = { workspace: at.cwd, name: 'x', metric: 'm', direction: 'lower', command: 'true' }
    expect((await server.ask('/v1/research', { body: wishes, token: act })).status).toBe(403)
    const question = { workspace: at.cwd, question: 'What is here, and why?' }
    expect((await server.ask('/v1/studies', { body: question, token: act })).status).toBe(403)
    const file = { ...question, model: 'script:/etc/passwd' }
    expect((await server.ask('/v1/studies', { body: file })).status).toBe(400)
  })
})
