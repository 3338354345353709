// The configuration that several files give together, with its rules checked.
import type { EnvironmentVariables } from '../base/environment.ts'
import type { PermissionRule } from '../policy/rules/permission-rule.ts'
import { type ConfigCandidate, type LoadedConfig, layerConfigs } from './layer.ts'
import { parseConfig } from './parse.ts'
import { checkConfigRules } from './rule-problems.ts'

/** Throws UserError for a file or a rule that is not valid. */
export async function mergeConfigFiles(
  files: readonly (ConfigCandidate & { text: string })[],
  env: EnvironmentVariables,
): Promise<LoadedConfig> {
  const parsed = await Promise.all(
    files.map(async (file) => ({ ...file, config: await parseConfig(file.path, file.text, env) })),
  )
  const layered = layerConfigs(parsed)
  const { permissions } = layered.config
  if (permissions) await checkConfigRules(permissions as readonly PermissionRule[])
  return layered
}
