// Type of a skill: instructions for one kind of work, in a directory with the files that belong to them, or
// in one command file.

/** Origins of skills. If two skills have the same name, the one with the later origin is used. */
export type SkillOrigin = 'builtin' | 'user' | 'workspace'

export interface Skill {
  /** Name of the skill's directory; for a command, the path of its file without `.md`, with `-` for `/`. */
  name: string
  /** One line that says what the skill is for and when to use it. */
  description: string
  /**
   * MCP servers that the skill brings, by name, in the form of `mcpServers`. They start only if the
   * settings allow that.
   */
  mcp?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Instructions of the skill, in which `$INPUT` is not replaced yet. */
  body: string
  /**
   * Other files in the directory of the skill, relative to `dir` and sorted, at most 100; empty
   * for a command.
   */
  files: readonly string[]
  origin: SkillOrigin
  /** Directory of the skill, or directory of a command's file. */
  dir: string
  /**
   * Path of the file if the skill is a command, which is one Markdown file with the parameters `$1` to `$9`.
   */
  command?: string
}
