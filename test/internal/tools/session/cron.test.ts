// The tool cron over the real jobs of a workspace: what each action needs, may and says.
import { beforeEach, expect, test } from 'vitest'
import { openWorkspaceJobs } from '../../../../internal/service/features/workspace-jobs.ts'
import type { Ctx } from '../../../../internal/tool/ctx.ts'
import { cron } from '../../../../internal/tools/session/cron.ts'
import { accessOf, call, ctxWith } from '../../../support/ctx.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()
let ctx: Ctx
beforeEach(() => {
  const jobs = openWorkspaceJobs({
    ...{ workspace: place.dir, env: { ANODE_DATA_DIR: '/tmp/with space' }, store: async () => place.store },
    profiles: async () => ['craft', 'quick'],
  })
  ctx = ctxWith({ cron: async () => jobs })
})

const use = (args: Record<string, unknown>) => call(cron, args, ctx)
const made = { name: 'morning', schedule: '0 7 * * 1-5', prompt: 'What is new?', timezone: 'Europe/Berlin' }

test('creates, lists, disables and deletes a job', async () => {
  const { text, data } = await use({ action: 'create', ...made, profile: 'quick' })
  expect(text).toMatch(/^created cron_\w+: morning: 0 7 \* \* 1-5 \(Europe\/Berlin\), profile quick, next /)
  expect(text).toMatch(/anode cron run[\s\S]*\* \* \* \* \* ANODE_DATA_DIR='\/tmp\/with space' /)
  const { id } = (data as { job: { id: string } }).job
  expect((await use({ action: 'list' })).data).toMatchObject({
    jobs: [{ id, profile: 'quick', enabled: true, last: null }],
  })
  expect((await use({ action: 'history', job_id: id })).text).toBe('morning has not run yet')
  expect((await use({ action: 'disable', job_id: 'morning' })).text).toBe('morning is off')
  expect((await use({ action: 'enable', job_id: id })).text).toMatch(/^morning is on, next at \d{4}-.*Z$/)
  const run = place.store.cron.claim(id, 'me')
  place.store.cron.end(run.id, { state: 'done', thread: 'sess_1', exit: 0, note: 'All quiet.\nMore' })
  expect((await use({ action: 'history', job_id: 'morning' })).text).toMatch(
    /Z done, thread sess_1: All quiet\.$/,
  )
  expect((await use({ action: 'delete', job_id: 'morning' })).text).toBe('deleted morning, its history too')
  expect((await use({ action: 'list' })).text).toBe('no jobs')
})

test.each([
  [{ action: 'create', name: 'a', prompt: 'x' }, 'bad_args', /`schedule`/],
  [{ action: 'delete' }, 'bad_args', /`job_id`/],
  [{ action: 'history', job_id: 'missing' }, 'not_found', /unknown job missing/],
  [{ action: 'create', ...made, schedule: '0 0 7 * * *' }, 'bad_args', /got 6$/],
  [{ action: 'create', ...made, timezone: 'Europe/Atlantis' }, 'bad_args', /Atlantis/],
  [{ action: 'create', ...made, profile: 'missing' }, 'bad_args', /unknown profile "missing"/],
  [{ action: 'create', ...made, prompt: 'x'.repeat(17 << 10) }, 'bad_args', /16 KiB/],
  [{ action: 'create', ...made, name: '../x' }, 'bad_args', /invalid job name/],
])('%j fails', async (args, code, why) => {
  expect((await use(args)).failed).toMatchObject({ code, message: expect.stringMatching(why) })
})

test('the level depends on the action', () => {
  const level = (action: 'create' | 'enable' | 'delete' | 'disable' | 'list' | 'history') =>
    accessOf(cron, { action, limit: 20 }).level
  expect(level('create')).toBe('confirm_write')
  expect(level('enable')).toBe('confirm_write')
  expect([level('delete'), level('disable')]).toEqual(['state_write', 'state_write'])
  expect([level('list'), level('history')]).toEqual(['auto_read', 'auto_read'])
  expect(cron.available?.(ctxWith())).toMatch(/cannot be scheduled/)
})
