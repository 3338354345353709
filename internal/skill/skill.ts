// Type of a skill: a directory with instructions for one kind of work, and the files that belong to them.

/** Origins of skills, lowest precedence first. Of two skills with one name the later origin wins. */
export type SkillOrigin = 'builtin' | 'user' | 'workspace'

export interface Skill {
  /** Name, equal to the name of its directory. */
  name: string
  /** One line with its purpose and when to use it. */
  description: string
  /** MCP servers of the skill by name, as in `mcpServers`. They start only if the settings allow that. */
  mcp?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Instructions, in which `$INPUT` is not replaced yet. */
  body: string
  /** Bundled files, relative to `dir`, sorted. */
  files: readonly string[]
  origin: SkillOrigin
  /** Directory of the skill, or of the file of a command. */
  dir: string
  /** File of a command, which is a skill in one Markdown file with the parameters `$1` to `$9`. */
  command?: string
}
