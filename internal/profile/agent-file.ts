// Reader of agent files of other programs (.claude/agents/*.md). It makes profiles that never grant more than
// Anode's own ones.
import { UserError } from '../base/errors.ts'
import { readFrontmatter } from '../base/text/frontmatter.ts'
import type { Profile, ProfileOrigin } from './profile.ts'
import { readProfile } from './profile-file.ts'

/** Names of Anode's tools, by the name of the equivalent tool in other programs. */
const toolNames: Readonly<Record<string, readonly string[]>> = {
  Agent: ['task'],
  AskUserQuestion: ['ask_user'],
  Bash: ['bash', 'jobs'],
  BashOutput: ['jobs'],
  Edit: ['edit_file', 'apply_patch'],
  Glob: ['glob'],
  Grep: ['grep', 'finder'],
  KillBash: ['jobs'],
  KillShell: ['jobs'],
  LS: ['glob'],
  MultiEdit: ['edit_file', 'apply_patch'],
  NotebookRead: ['read_document'],
  Read: ['read', 'multi_read', 'look_at', 'read_document'],
  Skill: ['skill', 'list_skills'],
  Task: ['task'],
  TodoRead: ['todo_read'],
  TodoWrite: ['todo_write', 'todo_read'],
  WebFetch: ['web_fetch'],
  WebSearch: ['web_search'],
  Write: ['create_file'],
}

/** Every tool of the table and all tools of MCP servers, for an agent file without a list of tools. */
const allNames = [...new Set(Object.values(toolNames).flat()), 'mcp__*']

interface ParsedAgent {
  profile: Profile
  /** Settings of the file that have no effect in Anode, one line each. */
  notes: string[]
}

/**
 * Returns the profile of an agent file named `<name>.md`. It offers Anode's equivalents of the tools that the
 * file lists and does not disallow, and the tool `result`. A tool without an equivalent is skipped with a
 * note, and so is a model other than `inherit`. Throws UserError for a file without a description or a
 * prompt, and if no listed tool has an equivalent.
 */
export async function parseAgentFile(
  text: string,
  place: { name: string; origin: ProfileOrigin; path: string },
): Promise<ParsedAgent> {
  const { fields, body } = await readFrontmatter(text)
  const notes: string[] = []
  if (fields.model !== undefined && fields.model !== 'inherit')
    notes.push(`the model ${JSON.stringify(fields.model)} is ignored; the configured one is used`)
  const { tools, unknown } = mapTools(fields.tools)
  const denied = mapTools(fields.disallowedTools ?? []).tools.map((name) => `!${name}`)
  if (unknown.length > 0) notes.push(`tools without a match here are skipped: ${unknown.join(', ')}`)
  if (tools.length === 0) throw new UserError('none of its tools has a match here')
  const name = typeof fields.name === 'string' ? fields.name : place.name
  const profile = readProfile(
    { about: oneLine(fields.description), tools: [...tools, 'result', ...denied], prompt: body },
    { ...place, name },
  )
  return { profile, notes }
}

const oneLine = (text: unknown): unknown =>
  typeof text === 'string' ? text.trim().replace(/\s+/g, ' ').slice(0, 1024) : text

/**
 * Returns in `tools` the names of Anode's tools that match the listed ones, and in `unknown` the listed names
 * without a match. The list is an array, or text with commas. A missing value and `*` mean all tools.
 * `Bash(git:*)` requests less than Bash, so it grants nothing.
 */
function mapTools(value: unknown): { tools: string[]; unknown: string[] } {
  if (value === undefined || value === null || value === '*') return { tools: allNames, unknown: [] }
  const names = (Array.isArray(value) ? value.map(String) : String(value).split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const tools = new Set<string>()
  const unknown: string[] = []
  for (const name of names) {
    const mapped = Object.hasOwn(toolNames, name) ? toolNames[name] : undefined
    const toolGlobs = name.startsWith('mcp__') ? [serverTools(name)] : mapped
    if (toolGlobs === undefined || toolGlobs.some((each) => !/^[A-Za-z0-9_*?-]+$/.test(each)))
      unknown.push(name)
    else for (const each of toolGlobs) tools.add(each)
  }
  return { tools: [...tools], unknown }
}

/**
 * Returns `mcp__server__*` for `mcp__server`, which means all tools of that server; other names unchanged.
 */
const serverTools = (name: string): string => (name.split('__').length === 2 ? `${name}__*` : name)
