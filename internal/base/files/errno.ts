// What the system's error codes of file calls mean to whoever asked for the file.
import { codeOf, type Failure, FailureError, messageOf } from '../errors.ts'

type Entry = Pick<Failure, 'code'> & { says: (name: string) => string; hint?: string }

const meanings: Readonly<Record<string, Entry>> = {
  ENOENT: { code: 'not_found', says: (name) => `${name} does not exist` },
  EEXIST: { code: 'file_exists', says: (name) => `${name} exists already` },
  EISDIR: { code: 'is_directory', says: (name) => `${name} is a directory` },
  ENOTDIR: { code: 'not_a_directory', says: (name) => `a part of ${name} is a file, not a directory` },
  ENOTEMPTY: { code: 'is_directory', says: (name) => `${name} is a directory that is not empty` },
  ELOOP: { code: 'outside_workspace', says: (name) => `${name} is a link where none was expected` },
  EACCES: { code: 'io', says: (name) => `permission denied for ${name}`, hint: 'Check owner and mode.' },
  EPERM: { code: 'io', says: (name) => `not permitted for ${name}`, hint: 'Check owner and attributes.' },
  EROFS: { code: 'io', says: (name) => `${name} lies on a file system that is mounted read-only` },
  ENOSPC: { code: 'io', says: (name) => `no space left on the disk that holds ${name}`, hint: 'Free space.' },
  EDQUOT: { code: 'io', says: (name) => `the disk quota is used up where ${name} lies`, hint: 'Free space.' },
  EFBIG: { code: 'too_large', says: (name) => `${name} is larger than its file system allows` },
  ENAMETOOLONG: { code: 'bad_args', says: (name) => `the name ${name} is longer than the system allows` },
}

/**
 * A FailureError for a thrown system error; `name` is how the file is shown to people. Others come back as
 * they are.
 */
export function explainErrno(error: unknown, name: string): unknown {
  if (error instanceof FailureError) return error
  const code = codeOf(error)
  const entry = code === undefined ? undefined : meanings[code]
  if (entry) {
    const failure: Failure = { code: entry.code, message: entry.says(name) }
    if (entry.hint) failure.hint = entry.hint
    return new FailureError(failure, error)
  }
  if (code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error
  return new FailureError({ code: 'io', message: `${name}: ${messageOf(error)}` }, error)
}

/** One line for a thrown value about a file that somebody has named: its name, and why it cannot be used. */
export function fileMessageOf(error: unknown, name: string): string {
  return meanings[codeOf(error) ?? '']?.says(name) ?? `${name}: ${messageOf(error)}`
}
