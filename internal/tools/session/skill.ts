// The tool skill: returns the instructions of one skill.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import about from './skill.md'

export const skill = defineTool({
  name: 'skill',
  about,
  input: z.object({
    name: field(z.string().check(z.minLength(1)), 'Name of the skill'),
    input: field(z.optional(z.string()), 'What to apply it to: a path, a change, a link'),
  }),
  example: { name: 'code_review', input: 'the changes in src/' },
  level: 'delegated',
  access: () => ({ does: 'loads instructions for the model, and may start servers of the skill' }),
  available: (ctx) => (ctx.can.skills ? true : 'skills are not set up in this session'),
  clip: { chars: 60_000, lines: 1_000, keep: 'head' },
  async run({ name, input }, ctx) {
    const loaded = await ctx.can.skills?.load(name, input)
    if (!loaded) {
      const skillNames = ((await ctx.can.skills?.list()) ?? []).map((skill) => skill.name)
      const near = suggestNames(name, skillNames) || `known are ${skillNames.join(', ')}`
      throw new FailureError({
        code: 'not_found',
        message: `unknown skill ${name}`,
        hint: skillNames.length > 0 ? near : 'no skills are installed',
        detail: { known: skillNames },
      })
    }
    const files = loaded.files.length > 0 ? `\n\nFiles of this skill:\n${loaded.files.join('\n')}` : ''
    return { text: `Skill ${name}\n\n${loaded.text}${files}`, data: { name, ...loaded } }
  },
})
