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
      return all.map(({ name, description, origin, dir, command }) => ({
        name,
        description,
        origin,
        path: command ?? join(dir, 'SKILL.md'),
      }))
    },
    async load(name, input) {
      const skill = (await set()).all.find((skill) => skill.name === name)
      if (!skill) return undefined
      const note = await onLoad?.(skill)
      const text = fillInput(skill.body, input, skill.command !== undefined)
      const files = skill.files.map((file) => join(skill.dir, file))
      return { text: note === undefined ? text : `${text.trimEnd()}\n\n${note}`, files }
    },
  }
}

/**
 * Puts the input where the instructions contain `$INPUT` or `$ARGUMENTS`, or below them when they do not.
 * Those of a command take its words as `$1` to `$9` as well.
 */
export function fillInput(body: string, input: string | undefined, isCommand = false): string {
  const inputText = input?.trim() ?? ''
  const words = isCommand ? splitWords(inputText) : []
  const marks = isCommand ? /\$(INPUT\b|ARGUMENTS\b|[1-9](?!\d))/g : /\$(INPUT\b|ARGUMENTS\b)/g
  if (body.search(marks) < 0) return inputText === '' ? body : `${body}\n\nInput: ${inputText}`
  return body.replace(marks, (_, mark: string) =>
    /^\d$/.test(mark) ? (words[Number(mark) - 1] ?? '') : inputText || '(no input was given)',
  )
}

/** Words as a shell would split them: quotes keep blanks together. */
const splitWords = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
