// The skills of a session as tools see them: loaded on first use, instructions filled with their input.
import { join } from 'node:path'
import type { SkillCatalog } from '../tool/ctx.ts'
import type { Skill } from './skill.ts'
import { loadSkills, type SkillSet, type SkillSources } from './skill-set.ts'

/** The capability `can.skills`, with the whole set for listings and diagnosis. */
export interface OpenSkills extends SkillCatalog {
  set(): Promise<SkillSet>
}

/**
 * Opens nothing until something is asked. `onLoad` runs before the instructions of a skill are handed out,
 * for example to connect its MCP servers; what it answers stands below them, what it throws ends the load.
 */
export function openSkills(
  sources: SkillSources,
  onLoad?: (skill: Skill) => Promise<string | undefined>,
): OpenSkills {
  let loading: Promise<SkillSet> | undefined
  const set = () => {
    loading ??= loadSkills(sources)
    return loading
  }
  return {
    set,
    async list() {
      const { all } = await set()
      return all.map(({ name, description, origin, dir }) => ({
        name,
        description,
        origin,
        path: join(dir, 'SKILL.md'),
      }))
    },
    async load(name, input) {
      const skill = (await set()).all.find((skill) => skill.name === name)
      if (!skill) return undefined
      const note = await onLoad?.(skill)
      const text = fillInput(skill.body, input)
      const files = skill.files.map((file) => join(skill.dir, file))
      return { text: note === undefined ? text : `${text.trimEnd()}\n\n${note}`, files }
    },
  }
}

/** Puts the input where the instructions say `$INPUT`, or below them when they do not. */
export function fillInput(body: string, input: string | undefined): string {
  const inputText = input?.trim() ?? ''
  if (/\$INPUT\b/.test(body)) return body.replace(/\$INPUT\b/g, () => inputText || '(no input was given)')
  return inputText === '' ? body : `${body}\n\nInput: ${inputText}`
}
