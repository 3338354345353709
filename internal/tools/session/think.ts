// The tool think: the model writes down a thought in each call, and the tool counts them. The count of a
// session starts again with each thought of number 1 that neither revises a thought nor starts a branch.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field, optionalNumber, wholeNumber } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './think.md'

const input = z.object({
  thought: field(z.string().check(z.minLength(1)), 'This step of thinking.'),
  number: field(wholeNumber(), 'Number of this thought.'),
  total: field(wholeNumber(), 'Thoughts that you expect to need'),
  next_needed: field(z.boolean(), 'true: another thought follows'),
  is_revision: field(z._default(z.boolean(), false), 'true: it revises an earlier thought'),
  revises: field(optionalNumber(), 'Number of the revised thought'),
  branch_from: field(optionalNumber(), 'Number of the thought where the branch starts'),
  branch_id: field(z.optional(z.string().check(z.minLength(1))), 'Name of the branch.'),
  more_needed: field(z._default(z.boolean(), false), 'true: more thoughts are needed than total'),
})

/**
 * Number of thoughts and names of their branches, counted since the latest thought with number 1 that is
 * neither a revision nor the start of a branch. The thoughts are not stored here, because the
 * conversation contains them.
 */
interface ThoughtSummary {
  length: number
  branches: Set<string>
}
const thoughtsOfSessions = new WeakMap<object, ThoughtSummary>()

/**
 * Returns the count of thoughts and the branches of this agent's session. Outside a session they are empty,
 * because no other call can follow this one.
 */
function thoughtsOf({ seen: sessionKey }: Pick<Ctx, 'seen'>): ThoughtSummary {
  const earlierThoughts = sessionKey && thoughtsOfSessions.get(sessionKey)
  const thoughts = earlierThoughts ?? { length: 0, branches: new Set<string>() }
  if (sessionKey) thoughtsOfSessions.set(sessionKey, thoughts)
  return thoughts
}

export const think = defineTool({
  name: 'think',
  about,
  offer: { optional: true },
  alone: true,
  input,
  example: {
    thought: 'The parser cannot be at fault: the file is empty.',
    number: 1,
    total: 3,
    next_needed: true,
  },
  level: 'auto_read',
  async validate(args) {
    const problem = problemOf(args)
    if (problem) throw new FailureError({ code: 'bad_args', message: problem })
  },
  async run(args, ctx) {
    const history = thoughtsOf(ctx)
    if (args.number === 1 && !args.is_revision && args.branch_from === undefined) {
      history.length = 0
      history.branches.clear()
    }
    history.length++
    if (args.branch_id !== undefined && args.branch_from !== undefined) history.branches.add(args.branch_id)
    const short = args.number > args.total || args.more_needed
    const data = {
      number: args.number,
      total: short ? Math.max(args.total, args.number + 1) : args.total,
      next_needed: args.next_needed,
      branches: [...history.branches],
      history_length: history.length,
    }
    const branches = data.branches.length > 0 ? `, branches ${data.branches.join(', ')}` : ''
    const text = `thought ${data.number} of ${data.total}, ${data.history_length} so far${branches}`
    return { text, data }
  },
})

function problemOf({ is_revision, revises, branch_from, branch_id }: z.output<typeof input>) {
  if (is_revision && revises === undefined) return '`is_revision` needs `revises`: which thought is revised'
  if (!is_revision && revises !== undefined) return '`revises` needs `is_revision`'
  if (branch_from !== undefined && branch_id === undefined) return '`branch_from` needs `branch_id`'
  return undefined
}
