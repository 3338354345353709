// What a profile is: a prompt, the tools that go with it, and limits.

/** Where a profile or skill was read, highest precedence first. */
export const profileOrigins = ['config', 'workspace', 'user', 'builtin'] as const
export type ProfileOrigin = (typeof profileOrigins)[number]

/** Bounds of one run beside its turns; absent means none. */
export interface ProfileLimits {
  toolCalls?: number
  seconds?: number
  tokens?: number
  usd?: number
}

export interface Profile {
  name: string
  /** Other names for it. */
  aliases: readonly string[]
  /** Tools and other work whose agents run under it when no profile is named. */
  serves: readonly string[]
  /** One line for people. */
  about: string
  /** Names and globs; `!` takes away. See tool-filter.ts. */
  tools: readonly string[]
  /** Keep only tools of the levels auto_read and external_read. */
  readOnly: boolean
  maxTurns: number
  /** 0 to 6: none, minimal, low, medium, high, xhigh, max. */
  effort: number
  limits: ProfileLimits
  /** `provider/model`, several with commas; absent: the configured one. */
  model?: string
  toolset?: string
  /** True for the one that is used when none is asked for. */
  default?: boolean
  prompt: string
  origin: ProfileOrigin
  /** The file, or the key of the configuration. */
  path: string
}
