// File edits: loading a file with its state, recording its content for undo, and writing the files of a call.
import { closeSync, lstatSync } from 'node:fs'
import { checksum } from '../base/checksum.ts'
import { dataDir } from '../base/dirs.ts'
import { type FailureCode, FailureError } from '../base/errors.ts'
import { explainErrno } from '../base/files/errno.ts'
import { commitFiles } from '../base/files/file-transaction.ts'
import { openPlain, readPrefix } from '../base/files/open-file.ts'
import type { TransactionChange } from '../base/files/transaction-file.ts'
import { fingerprint } from '../base/fingerprint.ts'
import { decodeAnyText } from '../base/text/detect-encoding.ts'
import { decodeText, findUnwritable } from '../base/text/text-encoding.ts'
import type { ResolvedPath } from '../policy/paths/path-jail.ts'
import type { Ctx } from '../tool/ctx.ts'
import { readEditorBuffer, startEditorSave } from './editor/editor-buffer.ts'
import { keepAttributes } from './file-attributes.ts'
import { isStaleRead } from './stale-read.ts'

/** A file that is to be changed. */
export interface LoadedFile {
  bytes: Buffer
  /** Fingerprint of the bytes, which must be unchanged when the file is written. */
  print: string
  /** Permission bits of the file. */
  mode: number
  size: number
  modified: Date
  /**
   * True if the content differs from what this session last read or wrote. False for a file that it has
   * neither read nor written.
   */
  stale: boolean
}

/**
 * Largest size in bytes of a file that is edited, because memory contains it several times. A larger
 * file is refused.
 */
const maxEditBytes = 67_108_864

/**
 * Returns the file, or null if it is missing. Throws FailureError, such as `is_directory`, `too_large`, `io`.
 */
export async function loadFile(ctx: Ctx, place: ResolvedPath): Promise<LoadedFile | null> {
  try {
    const opened = openPlain(place.real, place.shown)
    const { stat } = opened
    const { bytes: disk, whole } = await readPrefix(opened, maxEditBytes).finally(() => closeSync(opened.fd))
    if (!whole) throw sizeErrorFor(place)
    const bytes = ctx.can.editor ? await readEditorBuffer(ctx, place.real, disk) : disk
    return {
      bytes,
      print: fingerprint(bytes),
      mode: Number(stat.mode) & 0o7777,
      size: bytes.length,
      modified: new Date(Number(stat.mtimeMs)),
      stale: isStaleRead(ctx, place.real, { stat, bytes }),
    }
  } catch (error) {
    const explained = explainErrno(error, place.shown)
    if (explained instanceof FailureError && explained.failure.code === 'not_found') return null
    throw explained
  }
}

/** Returns true if the path itself is a symbolic link. Links among its parent directories do not count. */
export function isLink(place: ResolvedPath): boolean {
  return lstatSync(place.named, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

/**
 * Resolves to the text of a file without its byte order mark; `bom` is true if it had one. Rejects with
 * FailureError `binary_or_encoding` if the file is not UTF-8 text.
 */
export async function decodeLoadedFile(
  file: LoadedFile,
  place: ResolvedPath,
): Promise<{ text: string; bom: boolean }> {
  const content = decodeText(file.bytes)
  if (content.kind === 'text') return content
  const isPacked = content.kind === 'image' || content.kind === 'pdf'
  const other = isPacked ? undefined : await decodeAnyText(file.bytes)
  const what = other && `it appears to be ${other.encoding}`
  throw new FailureError({
    code: 'binary_or_encoding',
    message: `${place.shown} is not UTF-8 text${what ? `: ${what}` : ''}`,
    hint: other
      ? `Only UTF-8 text can be edited. Convert it first with bash: iconv -f ${other.encoding} -t UTF-8.`
      : 'Only UTF-8 text can be edited; use bash for anything else.',
  })
}

/** Returns the error for a file that has changed since the session read it. */
export function staleReadError(displayPath: string): FailureError {
  return new FailureError({
    code: 'stale_read',
    message: `${displayPath} was changed on disk after it was read in this session`,
    hint: 'Read it again and make the change from what it holds now.',
  })
}

/**
 * Throws FailureError `binary_or_encoding` if a text would not be the same when it is written and read again.
 * `what` is the name of the text in the message.
 */
export function refuseUnwritable(text: string, what: string): void {
  const why = findUnwritable(text)
  if (why !== undefined) {
    throw new FailureError({ code: 'binary_or_encoding', message: `${what} cannot be written: ${why}` })
  }
}

/**
 * Writes every change or none, and records the new contents as seen by the session. Rejects if a change
 * fails; the error lists files that an editor could not restore. Once files are written to disk, cancelling
 * has no effect. Resolves to lines for the result: lost attributes, and messages of running language servers.
 */
export async function saveChanges(ctx: Ctx, changes: readonly TransactionChange[]): Promise<string[]> {
  ctx.signal.throwIfAborted()
  const { workspace, added } = ctx.policy.roots
  const editor = ctx.can.editor?.write && (await startEditorSave(ctx, changes))
  const rest = editor ? editor.rest : changes
  for (const change of rest) await recordWrite(ctx, change)
  for (const { change, before } of editor?.checked ?? []) await recordWrite(ctx, change, before)
  const keeping = keepAttributes(rest, ctx)
  let undo: (() => Promise<string[]>) | undefined
  try {
    undo = await editor?.write()
    await commitFiles(dataDir(ctx.env), keeping.changes, [workspace, ...added, ctx.cwd])
  } catch (error) {
    const lost = (await undo?.()) ?? []
    if (!(error instanceof FailureError)) throw error
    const outcomeText = lost.length === 0 ? 'nothing was written' : `written all the same: ${lost.join(', ')}`
    throw new FailureError({ ...error.failure, message: `${error.failure.message}; ${outcomeText}` }, error)
  }
  for (const { path, bytes } of changes) {
    if (bytes) ctx.seen?.set(path, checksum(bytes))
    else ctx.seen?.delete(path)
  }
  const written = changes.map(({ path, shown: displayPath, bytes, expect }) => ({
    path,
    shown: displayPath ?? path,
    kind: bytes ? (expect === null ? ('created' as const) : ('changed' as const)) : ('removed' as const),
  }))
  return [...keeping.losses(), ...((await ctx.can.lsp?.edited(written, ctx.signal)) ?? [])]
}

/**
 * Records the content that a change will replace, before the change, so that it can be undone. Does nothing
 * outside a call, or if the log does not store that content.
 */
export async function recordWrite(
  { call: { id: call, tool = '' }, log }: Ctx,
  change: Pick<TransactionChange, 'path' | 'bytes'>,
  buffer?: Buffer | null,
): Promise<void> {
  if (call === '') return
  const there = await readFileWhole(change.path)
  // The change also replaces unsaved text of an editor, so that text is recorded.
  const before = there && buffer ? { ...there, bytes: buffer } : there
  const whole = before && (await log.keep(call, before.bytes))
  if (whole === '') return
  await log.append({
    type: 'file.written',
    payload: {
      call,
      tool,
      path: change.path,
      before: before && { hash: fingerprint(before.bytes), mode: before.mode },
      after: change.bytes && fingerprint(change.bytes),
      whole: whole || undefined,
    },
  })
}

/**
 * Returns the first `maxEditBytes` bytes and the mode of a regular file; null if it is missing or
 * cannot be read.
 */
async function readFileWhole(path: string): Promise<{ bytes: Buffer; mode: number } | null> {
  try {
    const opened = openPlain(path)
    const { bytes } = await readPrefix(opened, maxEditBytes).finally(() => closeSync(opened.fd))
    return { bytes, mode: Number(opened.stat.mode) & 0o7777 }
  } catch {
    // If the file cannot be read, the change itself fails and reports the reason.
    return null
  }
}

/** Returns the error for an edit that is not made. */
export function editError(code: FailureCode, message: string, hint?: string): FailureError {
  return new FailureError({ code, message, hint })
}

function sizeErrorFor(place: ResolvedPath): FailureError {
  const message = `${place.shown} has more than ${maxEditBytes} bytes`
  return editError('too_large', message, 'Change it with bash, for example sed.')
}
