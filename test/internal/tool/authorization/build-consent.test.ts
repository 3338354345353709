// Tests and builds without a sandbox: builders against what an agent did before, decided with the real tools.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askApproval } from '../../../../internal/tool/authorization/approval.ts'
import { authorizeCall } from '../../../../internal/tool/authorization/authorize.ts'
import type { Ctx } from '../../../../internal/tool/ctx.ts'
import type { Tool } from '../../../../internal/tool/tool.ts'
import { bash } from '../../../../internal/tools/bash.ts'
import { createFile } from '../../../../internal/tools/create_file.ts'
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

/** A session of its own; `active`: commands have a sandbox. */
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
  const can = { walls: async () => ({ active, notice: () => undefined }) } as unknown as Ctx['can']
  const ask = async () => ({ allow: true, why: 'the user allowed it' })
  return ctxWith(can, { cwd: work, policy: { ...policy, roots }, ask })
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
      expect(text).toContain('there is no sandbox here')
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
      }
      await askApproval(found as never, asked, ctx)
      await create(ctx)
      expect((await judge(child, builder)).action).toBe('allow')
      const ruled = session(false, [JSON.parse(rule)])
      await create(ruled)
      expect((await judge(ruled, builder)).action).toBe('allow')
    }
})

test('with a sandbox nothing is asked', async () => {
  const ctx = session(true)
  await create(ctx)
  for (const builder of builders) expect((await judge(ctx, builder)).action).toBe('allow')
})
