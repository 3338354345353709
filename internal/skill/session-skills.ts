// Skills of a session for tools. All skills are read at the first use, and the input of a call is inserted
// into the instructions of its skill.
import { join } from 'node:path'
import type { SkillCatalog } from '../tool/ctx.ts'
import type { Skill } from './skill.ts'
import { loadSkills, type SkillSet, type SkillSources } from './skill-set.ts'

/** The capability `can.skills`, with the whole set for lists and diagnosis. */
export interface OpenSkills extends SkillCatalog {
  set(): Promise<SkillSet>
}

/**
 * Returns the catalog of skills, which reads their files at its first call. `onLoad` runs before the
 * instructions of a skill are returned, for example to connect its MCP servers. Its text follows the
 * instructions; its error makes the load fail.
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
 * Returns the instructions `body` with the input. The input, or `(no input was given)`, replaces `$INPUT` and
 * `$ARGUMENTS`. In a command, its words also replace `$1` to `$9`; a missing word is empty. If `body` has
 * none of these marks, a nonempty input is added at the end.
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

/**
 * Splits a text at spaces. A word that begins with a single or double quote extends to the next such quote,
 * and loses both.
 */
const splitWords = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
