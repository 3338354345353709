// Type of a profile: a prompt, its tools, and its limits.

/** Origins of a profile or skill, highest precedence first. */
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
  /** Tools and other tasks whose subagents use this profile by default. */
  serves: readonly string[]
  /** One line for users. */
  about: string
  /** Names and globs; `!` removes. See tool-filter.ts. */
  tools: readonly string[]
  /** Whether only tools of the levels auto_read and external_read are kept. */
  readOnly: boolean
  maxTurns: number
  /** Amount of reasoning, 0 to 6: none, minimal, low, medium, high, xhigh, max. */
  effort: number
  limits: ProfileLimits
  /** `provider/model`, several with commas. Default: the configured model. */
  model?: string
  toolset?: string
  /** Commands that have to pass before a run of this profile may end as done. */
  until?: readonly string[]
  /** Whether this profile is used if the user names none. */
  default?: boolean
  prompt: string
  origin: ProfileOrigin
  /** Path of the file, or key of the configuration. */
  path: string
}
