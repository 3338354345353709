// Replacement of variables in the settings of a server: `${NAME}` and `${NAME:-default}`.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'

/**
 * Returns the text with its variables replaced. An empty variable counts as unset if it has a default. Throws
 * UserError with the names of all unset variables without a default.
 */
export function expandVariables(text: string, env: EnvironmentVariables): string {
  const missing: string[] = []
  const full = text.replace(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (_, name: string, preset: string | undefined) => {
      const value = env[name]
      if (value !== undefined && (value !== '' || preset === undefined)) return value
      if (preset === undefined) missing.push(name)
      return preset ?? ''
    },
  )
  if (missing.length > 0) {
    throw new UserError(`the environment variable ${missing.join(', ')} is not set`, {
      hint: 'set it, or give it a default after ":-"',
    })
  }
  return full
}

/** Returns the object with the variables in every value replaced, like `expandVariables`. */
export function expandAllVariables(
  values: Readonly<Record<string, string>> | undefined,
  env: EnvironmentVariables,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [name, expandVariables(value, env)]),
  )
}
