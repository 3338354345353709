// The tool tool_search: shows and calls deferred tools, whose descriptions would take too many tokens
// of every request.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './tool_search.md'

export const toolSearch = defineTool({
  name: 'tool_search',
  about,
  offer: { optional: true },
  input: z.object({
    name: field(z.optional(z.string()), 'Name of a tool; * matches any letters'),
    query: field(z.optional(z.string()), 'Words for what the tool should do'),
    args: field(
      z.optional(z.record(z.string(), z.unknown())),
      'With name: calls that tool with these arguments',
    ),
  }),
  example: { query: 'create issue' },
  level: 'auto_read',
  available: ({ can }) => (can.toolSearch ? true : 'no tools have to be searched for here'),
  async validate({ name = '', query = '' }) {
    if (`${name}${query}`.trim() !== '') return
    throw new FailureError({ code: 'bad_args', message: 'give `name` or `query`' })
  },
  async run({ name, query }, { can, signal }) {
    if (!can.toolSearch)
      throw new FailureError({ code: 'unavailable', message: 'there is nothing to search' })
    const { loaded, more, starting } = await can.toolSearch.load({ name, query }, signal)
    const tools = loaded.map(({ name, about, schema }) =>
      [`## ${name}`, about.trim(), `args: ${JSON.stringify(schema)}`].join('\n'),
    )
    const [first] = loaded
    const call = `Call one: tool_search {"name": ${JSON.stringify(first?.name)}, "args": {…}}`
    const rest = [
      ...(more.length === 0 ? [] : [`These fit too: ${more.join(', ')}.`]),
      ...(starting.length === 0 ? [] : [`Not searched, since still starting: ${starting.join(', ')}.`]),
    ]
    return {
      text: [...tools, call, ...rest].join('\n\n'),
      data: { loaded: loaded.map(({ name }) => name), more },
    }
  },
})
