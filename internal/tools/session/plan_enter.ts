// The tool plan_enter: starts planning and returns the path of the plan file.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './plan_enter.md'

export const planEnter = defineTool({
  name: 'plan_enter',
  about,
  offer: { optional: true },
  input: z.object({
    reason: field(z.optional(z.string()), 'Why a plan is needed, for the record.'),
    fresh: field(z._default(z.boolean(), false), 'Begin another plan instead of reopening the last.'),
  }),
  example: { reason: 'The change touches every command.' },
  level: 'state_write',
  available: (ctx) => (ctx.can.plan ? true : 'only a session of an agent can plan'),
  async run({ fresh }, ctx) {
    const { plan } = ctx.can
    if (!plan) throw new FailureError({ code: 'unavailable', message: 'only a session of an agent can plan' })
    const { path, reused, alreadyActive } = await plan.enter(fresh)
    const what = alreadyActive ? 'planning already' : 'planning'
    return {
      text: `${what}; the plan is ${path}${reused ? ', which is there already' : ''}`,
      data: { path, reused, already_active: alreadyActive },
    }
  },
})
