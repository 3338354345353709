// Search for the configuration files that set a key.
import type { LoadedConfig } from '../../config/layer.ts'

/** Returns the paths of the configuration files that set a dotted key or any key below it, each once. */
export function filesOfSetting(origins: LoadedConfig['origins'], key: string): string[] {
  const matches = [...origins].filter(([one]) => one === key || one.startsWith(`${key}.`))
  return [...new Set(matches.map(([, path]) => path))]
}
