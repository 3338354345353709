// Toolsets of sessions: what selections, profiles and names show, on the real registry.
import { expect, test } from 'vitest'
import { describeToolNames, listToolsInPrompt } from '../../../../internal/agent/toolset-prompt.ts'
import { loadBuiltinProfiles } from '../../../../internal/profile/profile-set.ts'
import { loadNativeEntries } from '../../../../internal/runtime/tools/tool-registry.ts'
import { checkRuleNames } from '../../../../internal/runtime/toolset/requested-toolset.ts'
import { openToolset } from '../../../../internal/runtime/toolset/toolset-session.ts'
import { listToolsets } from '../../../../internal/service/calls/toolset-list.ts'

const natives = await loadNativeEntries()
const profiles = await loadBuiltinProfiles()
const craft = profiles.find(({ name }) => name === 'craft')

const names = async (request: Parameters<typeof openToolset>[0], over: object = {}) => {
  const set = await openToolset(request, () => natives)
  const restrictions = { profile: undefined, disabled: [], web: true, ...over }
  return set
    .list({ restrictions, only: undefined, child: false })
    .flatMap((entry) => (entry.hidden === undefined && !entry.optional ? [entry.name] : []))
}

test('a selection replaces the tools or adds to them, but not both', async () => {
  expect(await names({ name: 'ah' })).toEqual(['read', 'write', 'edit', 'bash'])
  expect(await names({ name: 'ah', only: ['edit', 'hooman/sleep'] })).toEqual(['edit', 'sleep'])
  expect(await names({ name: 'ah', extra: ['result'] })).toEqual(['read', 'write', 'edit', 'bash', 'result'])
  const harness = await names({ name: 'researchharness', extra: ['str_replace_editor'] })
  expect([harness.length, harness.at(-1)]).toEqual([18, 'str_replace_editor'])
  await expect(names({ name: 'ah', only: ['edit'], extra: ['read'] })).rejects.toThrow('exclude each other')
  await expect(names({ name: 'ah', only: ['shell'] })).rejects.toThrow('unknown tool shell')
  await expect(names({ name: 'ha' })).rejects.toThrow('unknown toolset ha')
})

test('an adapter needs its native tools, or its name in the allowlist', async () => {
  if (!craft) throw new Error('no profile')
  const profile = { ...craft, tools: ['read', 'hooman__move_file'] }
  expect(await names({ name: 'hooman' }, { profile })).toEqual(['move_file'])
  const reading = { ...craft, readOnly: true }
  expect(await names({ name: 'ah' }, { profile: reading })).toEqual(['read'])
  expect(await names({ name: 'ah' }, { disabled: ['edit_file', 'ah__bash'] })).toEqual(['read', 'write'])
})

test('a rule with the name of an adapter is an error that shows the native tool', async () => {
  const check = (...tools: string[]) =>
    checkRuleNames(
      tools.map((tool) => ({ tool })),
      natives,
    )
  await check('bash', '*', 'mcp__x__y', 'fn__x')
  for (const name of ['write_file', 'hooman/write_file'])
    await expect(check('read', name)).rejects.toMatchObject({
      message: `permissions: ${name} is a tool of the toolset hooman, and rules name native tools`,
      hint: 'name create_file',
    })
})

test('a rule that forbids an unknown tool is an error, and one that allows it has no effect', async () => {
  const wrong = natives.flatMap(({ name }) => [
    ...[`${name}x`, name.toUpperCase(), `${name}(rm:*)`, `${name} `, `x${name}`, `[${name}]`, `{${name},x}`],
  ])
  const unknown = [...wrong, 'Bash', 'shell', 'bahs', 'Write', 'no_such_tool', 'x*y', 'bash(rm:*)']
  expect(unknown.length).toBeGreaterThan(200)
  for (const tool of unknown) {
    for (const action of ['deny', 'ask'])
      await expect(checkRuleNames([{ tool, action }], natives), tool).rejects.toThrow(
        /guards nothing|is a tool of the toolset/,
      )
    if (!/^\w+$/.test(tool)) await checkRuleNames([{ tool, action: 'allow' }], natives)
  }
})

test('explains names of tools from other toolsets', async () => {
  const { catalog } = await openToolset({ name: 'ah' }, () => natives)
  expect(catalog.explain?.('edit_file')).toBe('edit_file is a tool of anode; here edit does it')
  expect(catalog.explain?.('move_file')).toBe('move_file is a tool of the toolset hooman')
})

test('every native name in a prompt is explained, for each profile and toolset', async () => {
  for (const { name: toolset } of await listToolsets()) {
    const set = await openToolset({ name: toolset, extra: ['result'] }, () => natives)
    const restrictions = { profile: undefined, disabled: [], web: true }
    const offered = set.list({ restrictions, only: undefined, child: false })
    for (const { prompt } of profiles) {
      const line =
        describeToolNames(
          prompt,
          natives.map(({ name }) => name),
          offered,
        ) ?? ''
      for (const { name } of natives) {
        const isMentioned = new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(prompt)
        const isSame = offered.some((tool) => tool.name === name && (tool.natives ?? [name]).includes(name))
        if (isMentioned && !isSame) expect(line).toMatch(new RegExp(`\\b${name}\\b`))
      }
    }
  }
  expect(listToolsInPrompt([{ name: 'a', summary: 'b', guidance: 'c' }])).toBe('Tools: a\na: b\n\n## a\nc')
})
