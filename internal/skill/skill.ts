// What a skill is: a folder with instructions for one kind of work, and files that belong to them.

/** Lowest precedence first: a later one of the same name wins. */
export type SkillOrigin = 'builtin' | 'user' | 'workspace'

export interface Skill {
  /** Equal to the name of its folder. */
  name: string
  /** One line: what it is for and when to take it. */
  description: string
  /** MCP servers that come with it, by name, as in `mcpServers`; started only when the settings allow. */
  mcp?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The instructions, `$INPUT` not filled. */
  body: string
  /** Bundled files, relative to `dir`, sorted. */
  files: readonly string[]
  origin: SkillOrigin
  /** Its directory; of a command the one of its file. */
  dir: string
  /** The file of a command, a skill that is one Markdown file and takes `$1` to `$9`. */
  command?: string
}
