// The list of native tools. Each is loaded only when it is described or run.
import type { Tool } from '../tool/tool.ts'

/** Loads one tool. */
export type Load = () => Promise<Tool>

/** Native tools by name, in the order they are listed. */
export const natives: Readonly<Record<string, Load>> = {
  list_skills: async () => (await import('./list_skills.ts')).listSkills,
  skill: async () => (await import('./skill.ts')).skill,
  ask_user: async () => (await import('./ask_user.ts')).askUser,
}
