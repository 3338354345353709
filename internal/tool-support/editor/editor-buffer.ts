// Files as an editor has them open: unsaved text counts, and changes go through the editor.
import { lstatSync } from 'node:fs'
import { FailureError } from '../../base/errors.ts'
import type { TransactionChange } from '../../base/files/transaction-file.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { contentKind, decodeText, encodeText, hasBom } from '../../base/text/text-encoding.ts'
import type { Ctx } from '../../tool/ctx.ts'
import type { EditorFiles } from '../../tool/editor-files.ts'

/** Largest file that is read from an editor, which would have to send it completely. */
const maxBufferBytes = 2_097_152

/**
 * Returns the bytes of a file as the editor has it open; `disk` itself if the editor has no different text.
 */
export async function readEditorBuffer(
  { can: { editor }, signal }: Ctx,
  path: string,
  disk: Buffer,
): Promise<Buffer> {
  if (!editor || disk.length > maxBufferBytes || contentKind(disk) !== 'text') return disk
  const text = await editor.read(path, signal)
  return text === undefined ? disk : bufferBytes(text, disk)
}

/**
 * Returns the bytes of a buffer. Editors omit the byte order mark and use `\n` alone; neither counts
 * as a change.
 */
function bufferBytes(text: string, disk: Buffer): Buffer {
  const own = disk.toString('utf8', hasBom(disk) ? 3 : 0)
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (bare === own || bare === own.replaceAll('\r\n', '\n')) return disk
  const isCrlf = /\r\n/.test(own) && !/(?<!\r)\n/.test(own) && !bare.includes('\r')
  return encodeText(isCrlf ? bare.replaceAll('\n', '\r\n') : bare, hasBom(disk))
}

/** A change that the editor makes, with its previous content; null for a new file. */
interface EditorChange {
  change: TransactionChange
  bytes: Buffer
  before: Buffer | null
}

/** The part of a save that goes through the editor, checked and ready to be written. */
interface EditorSave {
  checked: readonly EditorChange[]
  /** Changes that are made on disk: removals, bytes that are not text, changed modes. */
  rest: readonly TransactionChange[]
  /**
   * Writes all changes or none. Resolves to a function that restores the previous contents and returns texts
   * about files that it could not restore.
   */
  write(): Promise<() => Promise<string[]>>
}

/**
 * Prepares the changes that go through the editor. Throws FailureError `stale_read` or `file_exists` if the
 * editor no longer has the text that was read.
 */
export async function startEditorSave(ctx: Ctx, changes: readonly TransactionChange[]): Promise<EditorSave> {
  const checked = await checkEditorChanges(ctx, changes.filter(isEditorText))
  const { write } = ctx.can.editor as EditorFiles
  return {
    checked,
    rest: changes.filter((change) => !isEditorText(change)),
    write: () => writeEditorChanges(write as NonNullable<EditorFiles['write']>, checked, ctx.signal),
  }
}

/** Returns true for a change of the whole text that keeps the mode. */
function isEditorText({ bytes, mode }: TransactionChange): boolean {
  if (bytes === null || mode !== undefined || bytes.length > maxBufferBytes) return false
  return contentKind(asBuffer(bytes)) === 'text'
}

/**
 * Returns the changes with the previous contents of their files. Throws FailureError `stale_read` or
 * `file_exists` if a file has changed since it was read.
 */
async function checkEditorChanges(ctx: Ctx, changes: readonly TransactionChange[]): Promise<EditorChange[]> {
  const { readFile } = await import('node:fs/promises')
  const checked: EditorChange[] = []
  for (const change of changes) {
    const { path, shown = path, expect, bytes } = change
    const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined
    const before = isThere ? await readEditorBuffer(ctx, path, await readFile(path)) : null
    if (expect === null && (isThere || (await ctx.can.editor?.read(path, ctx.signal))))
      throw new FailureError({ code: 'file_exists', message: `${shown} has come to exist in the editor` })
    if (expect && (!before || fingerprint(before) !== expect)) {
      throw new FailureError({
        code: 'stale_read',
        message: `${shown} was changed in the editor after it was read`,
        hint: 'Read it again and make the change from what it holds now.',
      })
    }
    checked.push({ change, bytes: asBuffer(bytes as Uint8Array), before })
  }
  return checked
}

/**
 * Writes all changes or none: a failure restores the files written before. Resolves to a function that
 * restores all of them.
 */
async function writeEditorChanges(
  write: NonNullable<EditorFiles['write']>,
  changes: readonly EditorChange[],
  signal: AbortSignal,
): Promise<() => Promise<string[]>> {
  const written: EditorChange[] = []
  const putBack = async () => {
    const lost: string[] = []
    for (const { change, before } of written.reverse()) {
      const { path, shown = path } = change
      await write(path, textOf(before), signal).catch(() => lost.push(shown))
    }
    return lost
  }
  for (const one of changes) {
    try {
      await write(one.change.path, textOf(one.bytes), signal)
      written.push(one)
    } catch (error) {
      const lost = await putBack()
      if (!(error instanceof FailureError) || lost.length === 0) throw error
      const message = `${error.failure.message}; changed and not restored: ${lost.join(', ')}`
      throw new FailureError({ ...error.failure, message }, error)
    }
  }
  return putBack
}

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function textOf(bytes: Buffer | null): string {
  const content = bytes && decodeText(bytes)
  return content?.kind === 'text' ? content.text : ''
}
