// Tests and builds without a sandbox: the decision on builders after earlier changes of the agent, with
// the real tools.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SandboxRequest } from '../../../../internal/process/process-command.ts'
import { createRunner } from '../../../../internal/process/run-command.ts'
import { openSessionSandbox } from '../../../../internal/runtime/processes/session-sandbox.ts'
import { askApproval } from '../../../../internal/tool/authorization/approval.ts'
import { authorizeCall } from '../../../../internal/tool/authorization/authorize.ts'
import type { Ctx } from '../../../../internal/tool/ctx.ts'
import type { Tool } from '../../../../internal/tool/tool.ts'
import { createFile } from '../../../../internal/tools/files/create_file.ts'
import { bash } from '../../../../internal/tools/shell/bash.ts'
import { ctxWith } from '../../../support/ctx.ts'

let work = ''
beforeAll(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'anode-consent-')))
})
afterAll(() => rmSync(work, { recursive: true, force: true }))

const builders = [
  'npm test',
  'npm run build',
  'make',
  'make check',
  'cargo test',
  'cargo build',
  'go test ./...',
  'pytest',
]
const quiet = ['ls', 'git status', 'grep -r x .', 'cat a.txt', 'npm test']
const changing = [
  'touch x',
  'sed -i s/a/b/ a.txt',
  'echo x > t.js',
  'node -e 1',
  'cp a b',
  '$(x)',
  'git checkout -- .',
]

/** Returns the context of a new session. `active`: commands have a sandbox. */
function session(active = false, rules: Ctx['policy']['rules'] = []): Ctx {
  const policy = {
    mode: 'auto',
    rules,
    profile: '',
    agent: 'thread',
    readOnly: false,
    trusted: true,
    parents: [],
  } as const
  const roots = { workspace: work, added: [], protected: [], own: [] }
  const sandbox = async () => ({ active, notice: () => undefined })
  const can = { processes: { sandbox } } as unknown as Ctx['can']
  const ask = async () => ({ allow: true, why: 'the user allowed it' })
  return ctxWith(can, { cwd: work, policy: { ...policy, roots }, gate: { ask } })
}
const judge = async (ctx: Ctx, command: string) =>
  (await authorizeCall(bash as unknown as Tool, { command }, ctx)).decision
const create = (ctx: Ctx) => authorizeCall(createFile as unknown as Tool, { path: 't.js', content: '' }, ctx)

test('each builder runs while nothing has changed, asks once afterwards, and then runs', async () => {
  for (const before of [...changing, 'create_file'])
    for (const builder of builders) {
      const ctx = session()
      for (const line of quiet) await judge(ctx, line)
      expect([builder, (await judge(ctx, builder)).action]).toEqual([builder, 'allow'])
      if (before === 'create_file') await create(ctx)
      else await judge(ctx, before)
      const asked = await judge(ctx, builder)
      expect([before, builder, asked.action]).toEqual([before, builder, 'ask'])
      const text = asked.reasons.map((reason) => reason.text).join()
      expect(text).toContain('without a sandbox, tests and builds')
      const rule = /the rule (\{.*\}) allows it/.exec(text)?.[1] as string
      // a subagent shares the consent of its session
      const child = { ...ctx, can: { ...ctx.can } }
      expect((await judge(child, builder)).action).toBe('ask')
      const found = {
        tool: bash as unknown as Tool,
        origin: 'native',
        call: 'c',
        args: { command: builder },
        effect: 'execute',
        access: {},
      }
      await askApproval(found as never, asked, ctx)
      await create(ctx)
      expect((await judge(child, builder)).action).toBe('allow')
      const ruled = session(false, [JSON.parse(rule)])
      await create(ruled)
      expect((await judge(ruled, builder)).action).toBe('allow')
    }
})

test('asks nothing with a sandbox', async () => {
  const ctx = session(true)
  await create(ctx)
  for (const builder of builders) expect((await judge(ctx, builder)).action).toBe('allow')
})

/** Commands that only a sandbox contains, by their classification. */
const contained = [
  'touch x',
  'node -e 1',
  'npm test',
  'make check',
  'python3 x.py',
  'cp a b',
  'echo x > t.js',
  'echo x > "$(cat name)"',
  '$(cat line)',
  'sh ./run.sh | tail',
  'for f in *; do node "$f"; done',
]

test('if not all directories were searched, each command asks once, and a rule, a larger limit or an approval ends it', async () => {
  const big = join(work, 'big')
  mkdirSync(big)
  // The search is breadth first, so it reaches the last directories after the limit.
  for (let i = 0; i < 4000; i++) mkdirSync(join(big, `d${String(i).padStart(4, '0')}`))
  const last = join(big, 'd3999', 'app')
  mkdirSync(join(last, '.git', 'hooks'), { recursive: true })
  writeFileSync(join(last, '.env'), 'KEY=hidden-value')
  const env = { PATH: process.env.PATH, HOME: work }
  const runner = createRunner({ dataDir: join(work, 'data'), env })
  const open = async (searchLimit?: number, rules: Ctx['policy']['rules'] = []) => {
    const sandbox = await openSessionSandbox('auto', {
      data: join(work, 'data'),
      env,
      run: runner.run,
      searchLimit,
    })
    const ctx = session(true, rules)
    const roots = { ...ctx.policy.roots, workspace: big }
    // on a machine without a sandbox the search is the same
    const sandboxes = async () => ({ ...sandbox, active: true })
    return {
      ...ctx,
      cwd: big,
      policy: { ...ctx.policy, roots },
      can: { ...ctx.can, processes: { ...ctx.can.processes, sandbox: sandboxes } },
    } as Ctx
  }
  for (const line of contained) {
    const ctx = await open()
    const asked = await judge(ctx, line)
    const text = asked.reasons.map((reason) => reason.text).join('\n')
    expect([line, asked.action, text]).toEqual([line, 'ask', expect.stringContaining('were not searched')])
    expect((await judge(ctx, 'ls')).action).toBe('allow')
    const rules = [...text.matchAll(/the rule (\{.*?\}) or a larger shell.searchLimit/g)].map(([, rule]) =>
      JSON.parse(rule as string),
    )
    expect([line, (await judge(await open(undefined, rules), line)).action]).toEqual([line, 'allow'])
    expect([line, (await judge(await open(4100), line)).action]).toEqual([line, 'allow'])
    const called = { tool: bash, origin: 'native', call: 'c', args: { command: line } }
    const found = { ...called, effect: 'execute', access: {} }
    await askApproval(found as never, asked, ctx)
    for (const other of contained) expect([other, (await judge(ctx, other)).action]).toEqual([other, 'allow'])
  }
  await runner.close()
}, 60_000)

test('if not all files were compared with a deny rule, each command asks once', async () => {
  const big = join(work, 'files')
  mkdirSync(join(big, 'z'), { recursive: true })
  // a limit of 4 directories compares 200 entries
  for (let i = 0; i < 220; i++) writeFileSync(join(big, `f${i}`), '')
  const env = { PATH: process.env.PATH, HOME: work }
  const runner = createRunner({ dataDir: join(work, 'data'), env })
  const open = async (searchLimit: number, rules: Ctx['policy']['rules'] = closing) => {
    const host = { data: join(work, 'data'), env, run: runner.run, searchLimit }
    const sandbox = await openSessionSandbox('auto', host)
    const ctx = session(true, rules)
    const roots = { ...ctx.policy.roots, workspace: big }
    const sandboxes = async () => ({ ...sandbox, active: true })
    return {
      ...ctx,
      cwd: big,
      policy: { ...ctx.policy, roots },
      can: { ...ctx.can, processes: { ...ctx.can.processes, sandbox: sandboxes } },
    } as Ctx
  }
  for (const line of contained.slice(0, 4)) {
    const ctx = await open(4)
    const asked = await judge(ctx, line)
    const text = asked.reasons.map((reason) => reason.text).join('\n')
    expect([line, asked.action, text]).toEqual([line, 'ask', expect.stringContaining('were not searched')])
    const rule = { tool: 'bash', command: `=${line}`, action: 'allow' } as const
    expect([line, (await judge(await open(4, [...closing, rule]), line)).action]).toEqual([line, 'allow'])
    expect([line, (await judge(await open(5), line)).action]).toEqual([line, 'allow'])
    expect([line, (await judge(await open(4, []), line)).action]).toEqual([line, 'allow'])
    const called = { tool: bash, origin: 'native', call: 'c', args: { command: line } }
    await askApproval({ ...called, effect: 'execute', access: {} } as never, asked, ctx)
    for (const other of contained.slice(0, 4))
      expect([other, (await judge(ctx, other)).action]).toEqual([other, 'allow'])
  }
  await runner.close()
})

const closing = [{ tool: 'read', path: 'z/[a-c]*', action: 'deny' } as const]

test('the first result shows where the search ended, and with a larger limit the last secret is hidden', async ({
  skip,
}) => {
  const big = join(work, 'big')
  const env = { PATH: process.env.PATH, HOME: work }
  const plain = createRunner({ dataDir: join(work, 'data2'), env })
  for (const searchLimit of [undefined, 4100]) {
    const host = { data: join(work, 'data2'), env, run: plain.run, searchLimit }
    const sandbox = await openSessionSandbox('auto', host)
    if (!sandbox.active) return skip('no sandbox on this machine')
    const runner = createRunner({ dataDir: join(work, 'data2'), env, sandbox: sandbox.enter })
    const request: SandboxRequest = {
      ...{
        kind: 'workspace',
        folders: [big],
        protected: [],
        network: [],
        write: [],
        revealed: [],
        opened: [],
      },
      history: false,
    }
    const run = () => runner.run({ file: 'cat', args: ['d3999/app/.env'], cwd: big, sandbox: request })
    const [first, second] = [await run(), await run()]
    expect(first.stdout.text).toBe(searchLimit === undefined ? 'KEY=hidden-value' : '')
    const note =
      'only 4000 directories were searched for secrets and protected places; shell.searchLimit allows more'
    if (searchLimit === undefined) expect(first.sandbox?.hidden).toEqual([note])
    else expect(first.sandbox?.hidden).not.toContain(note)
    expect(second.sandbox?.hidden).toBeUndefined()
    await runner.close()
  }
  await plain.close()
})
