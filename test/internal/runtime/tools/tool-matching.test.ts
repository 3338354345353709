// Names and words, exact and vague, against the tools of a tracker.
import { expect, test } from 'vitest'
import { matchTools } from '../../../../internal/runtime/tools/tool-matching.ts'

const tool = (name: string, about: string, parameter = 'id') => ({
  ...{ name, about },
  schema: { type: 'object', properties: { [parameter]: { type: 'string' } } },
})
const tools = [
  tool('mcp__hub__create_issue', 'Opens a ticket in a repository.', 'title'),
  tool('mcp__hub__list_issues', 'Tickets of a repository, newest first.'),
  tool('mcp__hub__merge_pr', 'Merges a change that was proposed.'),
  tool('mcp__chat__post', 'Sends words to a channel of the team.', 'channel'),
  tool('mcp__db__run_query', 'Runs SQL against the warehouse.', 'sql'),
]
const found = (request: { name?: string; query?: string }) =>
  matchTools(tools, request).map(({ name }) => name.replace(/^mcp__/, ''))

test.each([
  [{ name: 'mcp__hub__merge_pr' }, ['hub__merge_pr']],
  [{ name: 'post' }, ['chat__post']],
  [{ name: '*issue*' }, ['hub__create_issue', 'hub__list_issues']],
  [{ name: 'mcp__hub__*', query: 'merge' }, ['hub__merge_pr', 'hub__create_issue', 'hub__list_issues']],
  [{ name: 'no_such', query: 'send to the team' }, ['chat__post']],
  [{ query: 'open a ticket with a title' }, ['hub__create_issue']],
  [{ query: 'merge a PR' }, ['hub__merge_pr']],
  [{ query: 'SQL' }, ['db__run_query']],
  [{ query: 'weather tomorrow' }, []],
  [{ name: 'issue' }, []],
])('%o', (request, names) => {
  expect(found(request).slice(0, names.length || 1)).toEqual(names)
})
