// The tool list_skills: lists the skills that can be loaded.
import * as z from 'zod/mini'
import { defineTool } from '../../tool/tool.ts'
import about from './list_skills.md'

export const listSkills = defineTool({
  name: 'list_skills',
  about,
  input: z.object({}),
  example: {},
  level: 'auto_read',
  available: (ctx) => (ctx.can.skills ? true : 'skills are not set up in this session'),
  async run(_args, ctx) {
    const skills = (await ctx.can.skills?.list()) ?? []
    const lines = skills.map(({ name, origin, description }) => `${name} (${origin}): ${description}`)
    const text =
      lines.length > 0
        ? `${lines.join('\n')}\n\nLoad one with skill {"name": …}.`
        : 'No skills are installed.'
    return { text, data: { skills } }
  },
})
