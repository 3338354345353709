// The settings of the configuration that tools read.

interface WebToolSettings {
  enabled: boolean
  provider?: string | undefined
  searxngUrl?: string | undefined
  exaKey?: string | undefined
  scholar?: string | undefined
  openalexKey?: string | undefined
  serperKey?: string | undefined
}

/** The sections of the configuration that tools read. */
export interface ToolSettings {
  readonly web: WebToolSettings
  readonly shell: { env: readonly string[] }
  readonly lookAt: { targets: Readonly<Record<string, string>> }
}
