// The tool by itself: what it says of what was loaded, and where there is nothing to search.
import { expect, test } from 'vitest'
import type { ToolSearch } from '../../../../internal/tool/ctx.ts'
import { toolSearch } from '../../../../internal/tools/session/tool_search.ts'
import { call, ctxWith } from '../../../support/ctx.ts'

const found: ToolSearch = {
  load: async ({ query }) => ({
    loaded: [{ name: 'mcp__hub__create_issue', summary: 'Opens a ticket' }],
    more: query ? ['mcp__hub__list_issues'] : [],
  }),
}
const ctxOf = (search: ToolSearch | undefined) => {
  const ctx = ctxWith()
  return { ...ctx, can: { ...ctx.can, ...(search && { toolSearch: search }) } }
}

test('names what can be called now, and what else would fit', async () => {
  const { text, data } = await call(toolSearch, { query: 'issue' }, ctxOf(found))
  expect(text).toBe(
    'You can call these from your next turn on:\nmcp__hub__create_issue: Opens a ticket\n\n' +
      'Not loaded, these fit too: mcp__hub__list_issues.',
  )
  expect(data).toEqual({ loaded: ['mcp__hub__create_issue'], more: ['mcp__hub__list_issues'] })
  expect((await call(toolSearch, { name: 'create_issue' }, ctxOf(found))).text).not.toContain('Not loaded')
})

test.each([
  [{}, found, 'bad_args'],
  [{ query: '  ' }, found, 'bad_args'],
  [{ query: 'issue' }, undefined, 'unavailable'],
])('refuses %j', async (args, search, code) => {
  expect((await call(toolSearch, args, ctxOf(search))).failed?.code).toBe(code)
})
