// The translation of errors of the database driver into errors that a user or a model can act on.
import { codeOf, FailureError, UserError } from '../base/errors.ts'

/**
 * Returns the result code of SQLite (`SQLITE_FULL`, …) of a driver error; undefined for other errors and for
 * an error of Node whose number is not in `resultCodes`.
 */
export function readResultCode(error: unknown): string | undefined {
  const code = codeOf(error)
  if (code?.startsWith('SQLITE_')) return code
  // Node uses one error code for all errors. The low byte of `errcode` is the primary result code of SQLite.
  if (code !== 'ERR_SQLITE_ERROR') return undefined
  return resultCodes[(error as { errcode: number }).errcode & 0xff]
}

/** The SQLite result codes that are translated here, by number. */
const resultCodes: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  15: 'SQLITE_PROTOCOL',
  23: 'SQLITE_AUTH',
  24: 'SQLITE_FORMAT',
  26: 'SQLITE_NOTADB',
}

/** Returns the first result code of SQLite in `error` or its causes, for example of a translated error. */
export function findResultCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = readResultCode(at)
    if (code !== undefined) return code
  }
  return undefined
}

/** Returns true if another process has the lock that a statement needs, also for a translated error. */
export function isBusy(error: unknown): boolean {
  const code = findResultCode(error)
  return code !== undefined && /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)
}

/**
 * Returns the error to throw instead of `error`: UserError for a damaged database file, FailureError `io` for
 * a full or failing disk or missing permissions, FailureError `busy` for a lock that was not released in
 * time. Returns any other error unchanged, because it is a bug.
 */
export function translateSqliteError(error: unknown, file: string): unknown {
  const code = readResultCode(error)
  if (code === undefined) return error
  if (/^SQLITE_(CORRUPT|NOTADB|FORMAT)/.test(code)) return makeDamagedError(file, error)
  if (isBusy(error)) {
    return new FailureError(
      {
        code: 'busy',
        message: `the database ${file} was in use by other processes for too long`,
        hint: 'Nothing was written; try again.',
        detail: { path: file },
      },
      error,
    )
  }
  const trouble = wording.find(([pattern]) => pattern.test(code))
  if (!trouble) return error
  return new FailureError(
    { code: 'io', message: `${trouble[1]}: ${file}`, hint: trouble[2], detail: { path: file, sqlite: code } },
    error,
  )
}

/** Returns an error that names the damaged database, which is never deleted. */
export function makeDamagedError(file: string, cause?: unknown): UserError {
  return new UserError(`the database is damaged: ${file}`, {
    hint:
      'It was left untouched. Restore a copy, or move it and its -wal file away to begin ' +
      'with an empty one.',
    cause,
  })
}

const wording: readonly [RegExp, string, string][] = [
  [/^SQLITE_FULL/, 'the disk is full', 'Nothing was recorded; free some space and try again.'],
  [/^SQLITE_(READONLY|PERM|AUTH)/, 'the database cannot be written', 'Check its owner and permissions.'],
  [/^SQLITE_CANTOPEN/, 'the database cannot be opened', 'Check the owner and permissions of its directory.'],
  [/^SQLITE_IOERR/, 'the disk failed while the database was used', 'Nothing was recorded; check the disk.'],
]
