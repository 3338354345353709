// Type of a profile: a prompt, its tools, and its limits.

/** Origins of profiles and skills, from the highest precedence to the lowest. */
export const profileOrigins = ['config', 'workspace', 'user', 'builtin'] as const
export type ProfileOrigin = (typeof profileOrigins)[number]

/** Limits of one run in addition to its turns. Default: unlimited. */
export interface ProfileLimits {
  toolCalls?: number
  seconds?: number
  tokens?: number
  usd?: number
}

export interface Profile {
  name: string
  /** Other names of the profile. */
  aliases: readonly string[]
  /** Names of tools, and of other tasks, that start a subagent with this profile by default. */
  serves: readonly string[]
  /** One line that describes the profile to users. */
  about: string
  /** Names and globs of the tools that the profile offers; `!` removes some. See tool-filter.ts. */
  tools: readonly string[]
  /**
   * True if only tools are offered that read files or the web and change nothing (levels
   * `auto_read` and `external_read`).
   */
  readOnly: boolean
  maxTurns: number
  /** Amount of reasoning of the model, from 0 to 6: none, minimal, low, medium, high, xhigh, max. */
  effort: number
  limits: ProfileLimits
  /** The model as `provider/model`, or several, separated by commas. Default: the configured model. */
  model?: string
  toolset?: string
  /** Commands that have to pass before a run of this profile may end as done. */
  until?: readonly string[]
  /** True if this profile is used when the user names none. */
  default?: boolean
  prompt: string
  origin: ProfileOrigin
  /** Path of the profile's file, or its key in the configuration. */
  path: string
}
