// The meaning of the system's error codes of file calls for the caller.
import { codeOf, type Failure, FailureError, messageOf } from '../errors.ts'

/** The code of the failure, what happened to the file NAME, and what the user can do. */
type ErrnoMeaning = readonly [code: Failure['code'], text: string, hint?: string]

const meanings: Readonly<Record<string, ErrnoMeaning>> = {
  ENOENT: ['not_found', 'NAME does not exist'],
  EEXIST: ['file_exists', 'NAME exists already'],
  EISDIR: ['is_directory', 'NAME is a directory'],
  ENOTDIR: ['not_a_directory', 'a part of NAME is a file, not a directory'],
  ENOTEMPTY: ['is_directory', 'NAME is a directory that is not empty'],
  ELOOP: ['outside_workspace', 'NAME is a link where none was expected'],
  EACCES: ['io', 'permission denied for NAME', 'Check owner and mode.'],
  EPERM: ['io', 'not permitted for NAME', 'Check owner and attributes.'],
  EROFS: ['io', 'NAME is on a file system that is mounted read-only'],
  ENOSPC: ['io', 'no space left on the disk that holds NAME', 'Free space.'],
  EDQUOT: ['io', 'the disk quota is used up where NAME is', 'Free space.'],
  EFBIG: ['too_large', 'NAME is larger than its file system allows'],
  ENAMETOOLONG: ['bad_args', 'the name NAME is longer than the system allows'],
}

/**
 * Returns a FailureError for a thrown system error. `name` is the file as shown to users. Other errors
 * are returned unchanged.
 */
export function explainErrno(error: unknown, name: string): unknown {
  if (error instanceof FailureError) return error
  const code = codeOf(error)
  const meaning = meanings[code ?? '']
  if (meaning) {
    const [failureCode, text, hint] = meaning
    const message = text.replace('NAME', () => name)
    return new FailureError(
      hint ? { code: failureCode, message, hint } : { code: failureCode, message },
      error,
    )
  }
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error
  return new FailureError({ code: 'io', message: `${name}: ${messageOf(error)}` }, error)
}

/** Returns one line about a file that a user has named: its name, and why it cannot be used. */
export function fileMessageOf(error: unknown, name: string): string {
  return meanings[codeOf(error) ?? '']?.[1].replace('NAME', () => name) ?? `${name}: ${messageOf(error)}`
}
