// The replacement of references such as `{env:NAME}` in a configuration by the values
// of environment variables.
import type { EnvironmentVariables } from '../base/environment.ts'

/**
 * Returns the value with the references in its strings replaced, also in nested values but not in keys. A
 * reference to an unset variable stays unchanged, and its name is added to `missing`.
 */
export function fillVariables(value: unknown, env: EnvironmentVariables, missing: string[]): unknown {
  if (typeof value === 'string') {
    return value.replace(/\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, (reference, name: string) => {
      const replacement = env[name]
      if (replacement === undefined) missing.push(name)
      return replacement ?? reference
    })
  }
  if (Array.isArray(value)) return value.map((item) => fillVariables(item, env, missing))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fillVariables(item, env, missing)]),
  )
}
