// The secrets of a server's settings, which no message may contain.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { FailureError } from '../../base/errors.ts'
import { hideSecrets, isSecretName } from '../../base/secrets.ts'

/** Number of characters below which a value is not taken for a secret, because it may be a common word. */
const minChars = 6

const mark = '[secret]'

interface SecretSources {
  /** Settings of the server, in which variables are not replaced. */
  settings: object
  /** Environment in which the variables of the settings are looked up. */
  env: EnvironmentVariables
  headers: Readonly<Record<string, string>>
  /** Environment of the server. Values of names such as `API_KEY` are secrets. */
  serverEnv: Readonly<Record<string, string>>
  clientSecret: string | undefined
}

/**
 * Returns a function that replaces secrets in a text. The value of a variable of the settings becomes its
 * name, as in `${TOKEN}`. Values of headers, the client secret, values of secret names in the environment of
 * the server, and texts in the form of a secret become `[secret]`. A value of fewer than 6 characters stays.
 */
export function hiderOf(sources: SecretSources): (text: string) => string {
  const { settings, env } = sources
  const marks = new Map<string, string>()
  const add = (value: string | undefined, replacement: string) => {
    const text = value ?? ''
    // A message may contain single lines of a value, such as those of a private key.
    for (const form of [text, encodeURIComponent(text.toWellFormed()), ...text.split(/\r?\n/)])
      if (form.length >= minChars && !marks.has(form)) marks.set(form, replacement)
  }
  for (const [, name = ''] of JSON.stringify(settings).matchAll(/\$\{([A-Za-z_]\w*)/g))
    if (name !== 'ANODE_WORKSPACE') add(env[name], `\${${name}}`)
  for (const value of secretsOf(sources)) add(value, mark)
  // the longest first, because one value may be the beginning of another
  const values = [...marks].sort(([a], [b]) => b.length - a.length)
  return (text) =>
    hideSecrets(
      values.reduce((out, [value, replacement]) => out.replaceAll(value, () => replacement), text),
      mark,
    )
}

function secretsOf({ headers, serverEnv, clientSecret }: SecretSources): (string | undefined)[] {
  const values = Object.values(headers)
  const ofServer = Object.entries(serverEnv).flatMap(([name, value]) => (isSecretName(name) ? [value] : []))
  return [clientSecret, ...values, ...values.map((value) => value.split(' ').at(-1)), ...ofServer]
}

/** Returns the error with `hide` applied to its message and hint. */
export function hideInFailure(error: FailureError, hide: (text: string) => string): FailureError {
  const { message, hint } = error.failure
  const failure = { ...error.failure, message: hide(message) }
  if (hint !== undefined) failure.hint = hide(hint)
  return new FailureError(failure, error.cause)
}
