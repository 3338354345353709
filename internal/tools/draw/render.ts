// The tool render: draws a tree of components as lines. Surfaces other than a terminal get the tree itself.
import * as z from 'zod/mini'
import { render as renderSpec } from '../../render/render.ts'
import { issueLine } from '../../render/spec/issues.ts'
import { field } from '../../tool/field.ts'
import { failedResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './render.md'

/** Settings of the text for a model: without color and with a fixed width, independent of the terminal. */
const look = { width: 80, color: 0, unicode: true, ambiguous: 1, plain: false, all: false } as const

export const render = defineTool({
  name: 'render',
  about,
  level: 'auto_read',
  input: z.object({
    root: field(z.string(), 'Id of the top element; every other element has one parent'),
    elements: field(z.record(z.string(), z.unknown()), 'Elements by id, each {type, props, children: [ids]}'),
  }),
  example: {
    root: 'card',
    elements: {
      card: { type: 'Card', props: { title: 'Health' }, children: ['api'] },
      api: { type: 'StatusLine', props: { text: 'API', status: 'success' }, children: [] },
    },
  },
  async run(spec) {
    const { ok, lines, errors, warnings } = renderSpec(spec, look)
    const data = { render_spec: spec, errors, warnings }
    const notes = warnings.map((issue) => issueLine('warning', issue))
    if (ok) return { text: [...lines, ...notes].join('\n'), data }
    const problems = [...errors.map((issue) => issueLine('error', issue)), ...notes]
    return failedResult('bad_spec', `the spec cannot be drawn\n${problems.join('\n')}`, {
      hint: 'Fix these and send the whole spec again.',
      data,
    })
  },
})
