// Files as an editor has them open. Unsaved text counts as their content, and the editor makes the changes.
import { lstatSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { FailureError } from '../../base/errors.ts'
import type { TransactionChange } from '../../base/files/transaction-file.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import { contentKind, decodeText, encodeText, hasBom } from '../../base/text/text-encoding.ts'
import { timeLimit } from '../../base/time-limit.ts'
import type { Ctx } from '../../tool/ctx.ts'
import type { EditorFiles } from '../../tool/editor-files.ts'

/**
 * Largest size in bytes of a file that is read or written through an editor, because the whole text is sent.
 */
const maxBufferBytes = 2_097_152

/**
 * Returns the bytes of a file as the editor has it open. Returns `disk` itself if the editor has no other
 * text, or if `disk` is not text or has more than 2 MiB.
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
 * Returns the bytes of a text in the editor, with the byte order mark of `disk`. If all line ends of `disk`
 * are CRLF, those of the text become CRLF too. Returns `disk` itself if the text differs only in the byte
 * order mark or in CRLF.
 */
function bufferBytes(text: string, disk: Buffer): Buffer {
  const diskText = disk.toString('utf8', hasBom(disk) ? 3 : 0)
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (bare === diskText || bare === diskText.replaceAll('\r\n', '\n')) return disk
  const isCrlf = /\r\n/.test(diskText) && !/(?<!\r)\n/.test(diskText) && !bare.includes('\r')
  return encodeText(isCrlf ? bare.replaceAll('\n', '\r\n') : bare, hasBom(disk))
}

/** A change that the editor makes, and the content before it; null for a new file. */
interface EditorChange {
  change: TransactionChange
  bytes: Buffer
  before: Buffer | null
}

/** Those changes of a save that the editor makes, checked and ready to be written. */
interface EditorSave {
  checked: readonly EditorChange[]
  /**
   * Changes that are made on disk instead: removals, content that is not text or has more than 2
   * MiB, changed modes.
   */
  rest: readonly TransactionChange[]
  /**
   * Writes the changes. If one fails, restores those before it and rejects. Resolves to a function that
   * restores the previous contents and returns the names of files that it could not restore. A new file is
   * emptied, not removed.
   */
  write(): Promise<() => Promise<string[]>>
}

/**
 * Prepares the changes that the editor makes. Throws FailureError `stale_read` or `file_exists` if a file was
 * changed or created since it was read.
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

/** Returns true if a change sets a text of at most 2 MiB and no mode, so that the editor can make it. */
function isEditorText({ bytes, mode }: TransactionChange): boolean {
  if (bytes === null || mode !== undefined || bytes.length > maxBufferBytes) return false
  return contentKind(asBuffer(bytes)) === 'text'
}

/**
 * Returns the changes with the previous contents of the files. Throws FailureError `stale_read` or
 * `file_exists` if a file was changed or created since it was read.
 */
async function checkEditorChanges(ctx: Ctx, changes: readonly TransactionChange[]): Promise<EditorChange[]> {
  const checked: EditorChange[] = []
  for (const change of changes) {
    const { path, shown: displayPath = path, expect, bytes } = change
    const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined
    const before = isThere ? await readEditorBuffer(ctx, path, await readFile(path)) : null
    if (expect === null && (isThere || (await ctx.can.editor?.read(path, ctx.signal))))
      throw new FailureError({
        code: 'file_exists',
        message: `${displayPath} has come to exist in the editor`,
      })
    if (expect && (!before || fingerprint(before) !== expect)) {
      throw new FailureError({
        code: 'stale_read',
        message: `${displayPath} was changed in the editor after it was read`,
        hint: 'Read it again and make the change from what it holds now.',
      })
    }
    checked.push({ change, bytes: asBuffer(bytes as Uint8Array), before })
  }
  return checked
}

/** Milliseconds to revert one file, also after a stop of the call. */
const revertMs = 5_000

/**
 * Writes the changes in order. If one fails, reverts those before it and rejects with an error that
 * lists files it could not revert. Resolves to a function that reverts all of them; a new file is
 * emptied, not removed.
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
      const { path, shown: displayPath = path } = change
      await write(path, textOf(before), timeLimit(revertMs)).catch(() => lost.push(displayPath))
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
