// Reader of the JSON file of a policy. Its errors name the file and, if possible, the key at fault.
import * as z from 'zod/mini'
import { messageOf, UserError } from '../../base/errors.ts'
import { readSmall } from '../../base/files/open-file.ts'

/**
 * Reads the file and returns its content as `schema` defines it. Throws UserError (exit 2) if the file is
 * missing, cannot be read, is not JSON or does not fit. `displayName` is its name in messages.
 */
export function readPolicyFile<S extends z.ZodMiniType>(
  path: string,
  displayName: string,
  schema: S,
  hint: string,
): z.output<S> {
  const text = readSmall(path)
  if (text === undefined) throw new UserError(`${displayName} is not there`, { hint })
  const parsed = z.safeParse(schema, parseJson(text, displayName, hint))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const where = issue?.path.length ? ` at ${issue.path.join('.')}` : ''
  const what = issue?.code === 'unrecognized_keys' ? `unknown key ${issue.keys.join(', ')}` : issue?.message
  throw new UserError(`${displayName} cannot be used${where}: ${what}`, { hint })
}

function parseJson(text: string, displayName: string, hint: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UserError(`${displayName} is not JSON: ${messageOf(cause)}`, { hint, cause })
  }
}
