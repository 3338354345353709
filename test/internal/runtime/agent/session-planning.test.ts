// Planning: the calls that are allowed during planning, the plan file, and the end of planning.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { EventDraft } from '../../../../internal/event/event.ts'
import { modes } from '../../../../internal/policy/level.ts'
import { createRunner } from '../../../../internal/process/run-command.ts'
import { createSessionPlanning, withPlanning } from '../../../../internal/runtime/agent/session-planning.ts'
import { narrowChildPolicy } from '../../../../internal/runtime/agent/subagent.ts'
import type { UserReply } from '../../../../internal/tool/ask.ts'
import { createCatalog } from '../../../../internal/tool/catalog.ts'
import type { Ctx } from '../../../../internal/tool/ctx.ts'
import { toToolDescription } from '../../../../internal/tool/describe.ts'
import { invoke } from '../../../../internal/tool/invoke.ts'
import { nativeTools } from '../../../../internal/tools/index.ts'
import { ctxWith } from '../../../support/ctx.ts'
import { harvest, scratch, scratchWith } from '../../../support/scratch.ts'

const names = [
  'read',
  'bash',
  'bash_batch',
  'create_file',
  'edit_file',
  'fs_mkdir',
  'fs_list',
  'plan_enter',
  'plan_exit',
]
const tools = await Promise.all(names.map((name) => (nativeTools[name] as () => Promise<never>)()))
const catalog = createCatalog(
  tools.map((tool) => ({ ...toToolDescription(tool, 'native'), load: async () => tool, hidden: undefined })),
)

const planningOf = (dataDir: string, thread: string, before?: string, record: EventDraft[] = []) =>
  createSessionPlanning({ dataDir, thread, before, report: async (draft) => void record.push(draft) })

function session(mode: (typeof modes)[number] = 'unrestricted', reply?: UserReply) {
  const dir = scratchWith({ 'a.txt': 'a\n' })
  const data = scratch()
  const runner = createRunner({ dataDir: data, env: process.env })
  onTestFinished(() => runner.close())
  const asked: string[] = []
  const user = reply && {
    ask: async ({ questions }: { questions: readonly { question: string }[] }) => {
      asked.push(questions[0]?.question ?? '')
      return reply
    },
  }
  const base = ctxWith(
    { processes: { run: runner.run }, ...(user && { user }) },
    { cwd: dir, env: { PATH: process.env.PATH, ANODE_DATA_DIR: data } },
  )
  const record: EventDraft[] = []
  const planning = planningOf(data, 'sess_1', undefined, record)
  const ctx: Ctx = withPlanning({ ...base, policy: { ...base.policy, mode, trusted: true } }, planning)
  const run = (name: string, args: Record<string, unknown> = {}) => invoke(catalog, ctx, { name, args })
  return { dir, data, ctx, run, asked, record }
}

test.each(modes)('in mode %s only the plan is written and only reading commands run', async (mode) => {
  const { dir, data, run } = session(mode)
  const entered = await run('plan_enter', { reason: 'r' })
  const path = join(data, 'plans', 'sess_1.md')
  expect(entered.data).toEqual({ path, reused: false, already_active: false })
  expect((await run('create_file', { path, content: '# Plan\n' })).failed).toBeUndefined()
  expect((await run('edit_file', { path, old_str: '# Plan', new_str: '# The plan' })).failed).toBeUndefined()
  expect((await run('read', { path })).text).toBe('1\t# The plan')
  expect((await run('read', { path: 'a.txt' })).failed).toBeUndefined()
  const denied = [
    ['create_file', { path: 'b.txt', content: 'x' }],
    ['create_file', { path: join(data, 'plans', 'other.md'), content: 'x' }],
    ['fs_mkdir', { path: 'd' }],
    ['bash', { command: 'touch b.txt' }],
    ['bash', { command: 'cat a.txt > b.txt' }],
    ['bash', { command: 'cat a.txt; node -e 1' }],
    ['bash', { command: 'bash', background: true }],
    ['bash_batch', { commands: [{ command: 'ls' }, { command: 'touch b.txt' }] }],
  ] as const
  for (const [name, args] of denied)
    expect((await run(name, args)).failed?.code, JSON.stringify(args)).toBe('denied')
  expect(harvest(dir)).toEqual({ 'a.txt': 'a\n' })
  if (mode === 'auto' || mode === 'unrestricted')
    expect((await run('bash', { command: 'cat a.txt | wc -l' })).failed).toBeUndefined()
})

test('a subagent of a planning agent only reads', async () => {
  const { ctx, run } = session()
  expect(narrowChildPolicy(ctx.policy, 'p', false).readOnly).toBe(false)
  await run('plan_enter')
  expect(narrowChildPolicy(ctx.policy, 'p', false).readOnly).toBe(true)
})

test('entering again reopens the file, and fresh begins another one', async () => {
  const { data, run } = session()
  const first = join(data, 'plans', 'sess_1.md')
  await run('plan_enter')
  await run('create_file', { path: first, content: 'one' })
  expect((await run('plan_enter')).data).toEqual({ path: first, reused: true, already_active: true })
  const next = (await run('plan_enter', { fresh: true })).data as { path: string }
  expect(next).toEqual({ path: join(data, 'plans', 'sess_1-2.md'), reused: false, already_active: true })
  expect((await run('create_file', { path: first, content: 'x', overwrite: true })).failed?.code).toBe(
    'denied',
  )
  expect(existsSync(next.path)).toBe(false)
  expect(readFileSync(first, 'utf8')).toBe('one')
})

test('rejects leaving without planning or without a plan', async () => {
  const { run } = session('ask', { status: 'dismissed' })
  expect((await run('plan_exit')).failed?.code).toBe('not_planning')
  await run('plan_enter')
  expect((await run('plan_exit')).failed?.code).toBe('plan_empty')
})

test('records the beginning and the end, once each', async () => {
  const { data, run, record } = session('unrestricted', answer({ option: 'approve' }))
  const path = join(data, 'plans', 'sess_1.md')
  await run('plan_enter')
  await run('plan_enter')
  await run('create_file', { path, content: '# Plan\n' })
  await run('plan_exit')
  expect(record.map(({ payload }) => payload)).toEqual([{ path }, { path: null }])
})

test('a thread resumes planning with its file, and a fork of it with a copy of the plan', async () => {
  const { data, run } = session()
  const path = join(data, 'plans', 'sess_1.md')
  await run('plan_enter')
  await run('create_file', { path, content: 'one' })
  expect(planningOf(data, 'sess_1', path).active()).toBe(path)
  const copy = join(data, 'plans', 'sess_2.md')
  expect(planningOf(data, 'sess_2', path).active()).toBe(copy)
  writeFileSync(copy, 'two')
  // later text of the copy is not lost
  planningOf(data, 'sess_2', path)
  expect([path, copy].map((file) => readFileSync(file, 'utf8'))).toEqual(['one', 'two'])
  expect(planningOf(data, 'sess_3', '/etc/hosts').active()).toBe(join(data, 'plans', 'sess_3.md'))
  expect(existsSync(join(data, 'plans', 'sess_3.md'))).toBe(false)
})

const answer = (one: { option?: string; text?: string }): UserReply => ({
  status: 'answered',
  answers: [{ id: 'plan', ...one }],
})
test.each<[string, UserReply | undefined, string, string | null]>([
  ['approval', answer({ option: 'approve' }), 'approved', null],
  ['keeping', answer({ option: 'keep' }), 'declined', null],
  ['words, whatever they say', answer({ text: 'approve' }), 'declined', 'approve'],
  [
    'another question answered',
    { status: 'answered', answers: [{ id: 'x', option: 'approve' }] },
    'declined',
    null,
  ],
  ['dismissal', { status: 'dismissed' }, 'declined', null],
  ['nobody', undefined, 'no_user_available', null],
])('the answer to a plan is %s', async (_, reply, status, comment) => {
  const { dir, data, run, asked } = session('unrestricted', reply)
  await run('plan_enter')
  const path = join(data, 'plans', 'sess_1.md')
  await run('create_file', { path, content: `# Plan\n${'x'.repeat(9000)}` })
  expect((await run('plan_exit')).data).toEqual({ status, comment })
  if (reply) expect(asked[0]?.length).toBeLessThan(8500)
  const after = await run('create_file', { path: 'b.txt', content: 'x' })
  expect(after.failed?.code).toBe(status === 'approved' ? undefined : 'denied')
  expect(existsSync(join(dir, 'b.txt'))).toBe(status === 'approved')
})
