// The tool by itself: what it says of what was loaded, and where there is nothing to search.
import { expect, test } from 'vitest'
import type { ToolSearch } from '../../../../internal/tool/ctx.ts'
import { toolSearch } from '../../../../internal/tools/session/tool_search.ts'
import { call, ctxWith } from '../../../support/ctx.ts'

const found: ToolSearch = {
  load: async ({ query }) => ({
    loaded: [{ name: 'mcp__hub__create_issue', about: 'Opens a ticket', schema: { type: 'object' } }],
    more: query ? ['mcp__hub__list_issues'] : [],
    starting: query === 'new issue' ? ['late'] : [],
  }),
}
const ctxOf = (search: ToolSearch | undefined) => {
  const ctx = ctxWith()
  return { ...ctx, can: { ...ctx.can, ...(search && { toolSearch: search }) } }
}

test('shows the tools that can be called, and other matches by name', async () => {
  const { text, data } = await call(toolSearch, { query: 'issue' }, ctxOf(found))
  expect(text).toBe(
    '## mcp__hub__create_issue\nOpens a ticket\nargs: {"type":"object"}\n\n' +
      'Call one: tool_search {"name": "mcp__hub__create_issue", "args": {…}}\n\n' +
      'These fit too: mcp__hub__list_issues.',
  )
  expect(data).toEqual({ loaded: ['mcp__hub__create_issue'], more: ['mcp__hub__list_issues'] })
  expect((await call(toolSearch, { name: 'create_issue' }, ctxOf(found))).text).not.toContain('fit too')
  expect((await call(toolSearch, { query: 'new issue' }, ctxOf(found))).text).toMatch(
    /\n\nNot searched, since still starting: late\.$/,
  )
})

test.each([
  [{}, found, 'bad_args'],
  [{ query: '  ' }, found, 'bad_args'],
  [{ query: 'issue' }, undefined, 'unavailable'],
])('rejects %j', async (args, search, code) => {
  expect((await call(toolSearch, args, ctxOf(search))).failed?.code).toBe(code)
})
