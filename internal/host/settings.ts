// The sections of the configuration that tools look at, with their defaults.
import type { Config } from '../config/schema.ts'
import type { Settings } from '../tool/ctx.ts'

export function settingsOf(config: Config): Settings {
  return {
    web: { ...config.web, enabled: config.web?.enabled ?? true },
    shell: { env: config.shell?.env ?? [] },
    lookAt: { targets: config.lookAt?.targets ?? {} },
  }
}
