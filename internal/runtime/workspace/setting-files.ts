// Which configuration files a setting comes from.
import type { LoadedConfig } from '../../config/layer.ts'

/** Each once, for a dotted key or any key below it. */
export function filesOfSetting(origins: LoadedConfig['origins'], key: string): string[] {
  const found = [...origins].filter(([one]) => one === key || one.startsWith(`${key}.`))
  return [...new Set(found.map(([, path]) => path))]
}
