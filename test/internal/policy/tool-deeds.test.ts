// Rules that forbid a tool cover every other way to the same deed: generated from all tools and toolsets.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PolicyCall } from '../../../internal/policy/policy.ts'
import type { PermissionRule } from '../../../internal/policy/rules/permission-rule.ts'
import { toolFits } from '../../../internal/policy/rules/rule-match.ts'
import { doesDeedOf } from '../../../internal/policy/tool-deeds.ts'
import { loadNativeEntries, visibleTools } from '../../../internal/runtime/tools/tool-registry.ts'
import { openToolset } from '../../../internal/runtime/toolset/toolset-session.ts'
import type { Tool } from '../../../internal/tool/tool.ts'
import { toolsetNames } from '../../../internal/toolset/index.ts'
import { accessOf } from '../../support/ctx.ts'
import { folder, judge, policyOf, remove } from './policies.ts'

let ws = ''
let tools: Tool[] = []
beforeAll(async () => {
  ws = folder('src')
  tools = await Promise.all((await loadNativeEntries()).map(({ load }) => load()))
})
afterAll(() => remove(ws))

/** Calls with the example of each tool, and with a command where the tool takes one. */
function callsOf(tool: Tool): PolicyCall[] {
  const more = 'command' in tool.input.shape ? [{ command: 'touch x' }] : []
  return [
    tool.example,
    { ...tool.example, input: 'touch x\n' },
    ...more.map((one) => ({ ...tool.example, ...one })),
  ].flatMap((given) => {
    const parsed = tool.input.safeParse(given)
    if (!parsed.success) return []
    const args = parsed.data as Record<string, unknown>
    return [
      {
        tool: tool.name,
        level: accessOf(tool, args).level ?? tool.level,
        args,
        scope: accessOf(tool, args).scope ?? [],
      },
    ]
  })
}

const heads = ['bash', 'read', 'edit_file', 'create_file', 'apply_patch']
const narrow = (tool: string): PermissionRule[] => [
  ...['touch', 'ls', '*', '=touch x', 'npm', 'cd', 'bash'].map(
    (command): PermissionRule => ({ tool, action: 'deny', command }),
  ),
  ...['**', 'src/**', '*', 'README.md'].map((path): PermissionRule => ({ tool, action: 'deny', path })),
]

test('a rule without a condition denies what the same rule with any condition denies', async () => {
  let count = 0
  for (const tool of tools)
    for (const call of callsOf(tool))
      for (const head of heads)
        for (const rule of narrow(head)) {
          count++
          const act = async (one: PermissionRule) =>
            (await judge(call, policyOf(ws, { mode: 'unrestricted', rules: [one] }))).action
          // a rule about edits of a path also stops commands on it; without the path it leaves commands alone
          if (tool.name !== head && !doesDeedOf(tool.name, (name) => name === head)) continue
          if ((await act(rule)) !== 'deny') continue
          expect(await act({ tool: head, action: 'deny' }), `${tool.name} ${JSON.stringify(rule)}`).toBe(
            'deny',
          )
        }
  expect(count).toBeGreaterThan(1_000)
})

test('every tool that runs commands or changes files is listed as such', () => {
  for (const tool of tools) {
    const scopes = callsOf(tool).flatMap((call) => call.scope)
    const runs = scopes.some(({ kind }) => kind === 'command') || tool.level === 'confirm_execute'
    if (runs)
      expect(
        doesDeedOf(tool.name, (name) => name === 'bash'),
        tool.name,
      ).toBe(true)
    const writes = scopes.some((one) => one.kind === 'path' && one.access === 'write')
    if (writes && !runs)
      expect(
        doesDeedOf(tool.name, (name) => name === 'create_file'),
        tool.name,
      ).toBe(true)
  }
})

/** Tools that use the names of files only, or that start commands, which are judged by their lines. */
const namesOnly = ['glob', 'fs_list', 'fs_stat']

test('every tool that reads a file which a call names is covered by a rule about its path', () => {
  const open = tools.filter((tool) => {
    const reads = callsOf(tool).some(({ scope }) =>
      scope.some((one) => one.kind === 'path' && one.access === 'read' && !one.granted),
    )
    const runs = doesDeedOf(tool.name, (name) => name === 'bash')
    const rule: PermissionRule = { tool: 'read', path: 'a', action: 'deny' }
    return reads && !runs && !toolFits(rule, tool.name)
  })
  expect(open.map(({ name }) => name).filter((name) => !namesOnly.includes(name))).toEqual([])
})

test('a rule about edits of a path leaves tools that read alone', () => {
  const rule: PermissionRule = { tool: 'edit_file', path: 'a', action: 'deny' }
  for (const name of ['read', 'grep', 'multi_read', 'glob', 'look_at'])
    expect(toolFits(rule, name), name).toBe(false)
})

test('a rule that allows applies only to the tool that it names', () => {
  for (const { name } of tools)
    for (const head of heads)
      expect(toolFits({ tool: head, action: 'allow' }, name), `${head} ${name}`).toBe(head === name)
})

test('denying create_file denies redirections as well', async () => {
  const rules: PermissionRule[] = [{ tool: 'create_file', action: 'deny' }]
  const call: PolicyCall = {
    tool: 'bash',
    level: 'confirm_execute',
    args: {},
    scope: [{ kind: 'command', line: 'ls > x' }],
  }
  expect((await judge(call, policyOf(ws, { mode: 'unrestricted', rules }))).action).toBe('deny')
})

test.each(['bash', 'b*', 'Bash', 'shell'])('tools.disabled %s hides every way to a shell', async (name) => {
  const entries = await loadNativeEntries()
  const restrictions = { profile: undefined, disabled: [name], web: true }
  const isRunner = (tool: string) => doesDeedOf(tool, (head) => head === 'bash')
  for (const entry of visibleTools(entries, restrictions))
    if (isRunner(entry.name)) expect(entry.hidden, entry.name).toContain('tools.disabled')
  for (const toolset of toolsetNames) {
    const set = await openToolset({ name: toolset }, () => entries)
    for (const { name: adapter, natives = [], hidden } of set.list({
      restrictions,
      only: undefined,
      child: false,
    }))
      if (natives.some(isRunner)) expect(hidden, `${toolset}/${adapter}`).toContain('tools.disabled')
  }
})
