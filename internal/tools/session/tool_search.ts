// The tool tool_search: loads tools of servers whose descriptions would take too much of every request.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './tool_search.md'

export const toolSearch = defineTool({
  name: 'tool_search',
  about,
  optional: true,
  input: z.object({
    name: field(z.optional(z.string()), 'Name of a tool; * stands for any letters.'),
    query: field(z.optional(z.string()), 'Words for what the tool should do.'),
  }),
  example: { query: 'create issue' },
  level: 'auto_read',
  scope: () => [],
  available: ({ can }) => (can.toolSearch ? true : 'no tools have to be searched for here'),
  async validate({ name = '', query = '' }) {
    if (`${name}${query}`.trim() !== '') return
    throw new FailureError({ code: 'bad_args', message: 'give `name` or `query`' })
  },
  async run(request, { can }) {
    if (!can.toolSearch)
      throw new FailureError({ code: 'unavailable', message: 'there is nothing to search' })
    const { loaded, more } = await can.toolSearch.load(request)
    const lines = loaded.map(({ name, summary }) => `${name}: ${summary}`)
    const rest = more.length === 0 ? [] : ['', `Not loaded, these fit too: ${more.join(', ')}.`]
    return {
      text: ['You can call these from your next turn on:', ...lines, ...rest].join('\n'),
      data: { loaded: loaded.map(({ name }) => name), more },
    }
  },
})
