// The sections of the configuration that tools look at, with their defaults.
import type { AnodeConfig } from '../../config/schema.ts'
import type { ToolSettings } from '../../tool/ctx.ts'

export function toolSettings(config: AnodeConfig): ToolSettings {
  return {
    web: { ...config.web, enabled: config.web?.enabled ?? true },
    shell: { env: config.shell?.env ?? [] },
    lookAt: { targets: config.lookAt?.targets ?? {} },
  }
}
