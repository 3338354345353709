// The tool undo: restores a file as it was before the last recorded change that a tool made in this thread.
import { relative } from 'node:path'
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { previewChange } from '../../patch/change-preview.ts'
import type { ResolvedPath } from '../../policy/paths/path-jail.ts'
import type { Store } from '../../store/store.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { loadFile, saveChanges } from '../../tool-support/file-edits.ts'
import { locatePath } from '../../tool-support/path-location.ts'
import { hasStore, storeOf } from '../../tool-support/storage.ts'
import { standingWrites } from '../../undo/standing-writes.ts'
import type { RecordedWrite } from '../../undo/undo-plan.ts'
import about from './undo.md'

const input = z.object({
  path: field(z.string().check(z.minLength(1)), 'File to revert'),
  call_id: field(z.optional(z.string()), 'Only changes of this call'),
  by: field(z.optional(z.string()), 'Only changes of this tool: NAME or TOOLSET/NAME'),
  dry_run: field(z._default(z.boolean(), false), 'true: only show what would change'),
})
type UndoArgs = z.output<typeof input>

/** A change that can be undone, with the present and the earlier content of the file. */
interface FileReversal {
  place: ResolvedPath
  write: RecordedWrite
  /** The present content of the file; null if the file is missing. */
  now: { bytes: Buffer; print: string } | null
  /** The earlier content of the file; null if the file did not exist. */
  bytes: Uint8Array | null
  /** Other files that the same call has written. */
  others: string[]
}

export const undo = defineTool({
  name: 'undo',
  about,
  offer: { optional: true },
  alone: true,
  level: 'confirm_write',
  input,
  example: { path: 'src/main.ts' },
  available: hasStore,
  access: ({ path }) => ({ scope: [{ kind: 'path', path, access: 'write' }] }),
  async validate(args, ctx) {
    await findReversal(args, ctx)
  },
  async preview(args, ctx) {
    return { files: [await previewOf(await findReversal(args, ctx))], shows: ['path'] }
  },
  async run(args, ctx): Promise<ToolResult> {
    const reversal = await findReversal(args, ctx)
    const { place, write, now, bytes, others } = reversal
    const { what, hunks, added, removed } = await previewOf(reversal)
    const mode = write.before?.mode
    const change = { path: place.real, shown: place.shown, bytes, expect: now?.print ?? null, mode }
    const heard = args.dry_run ? [] : await saveChanges(ctx, [change])
    const rest = others.length > 0 ? [`the same call has also changed ${others.join(', ')}`] : []
    return {
      text: [
        `${args.dry_run ? 'would revert' : 'reverted'} ${write.call}: ${place.shown} ${what}`,
        ...rest,
        ...heard,
        hunks.trimEnd(),
      ].join('\n'),
      data: {
        path: place.shown,
        call_id: write.call,
        tool: write.tool,
        what,
        added,
        removed,
        others,
        dry_run: args.dry_run,
      },
    }
  },
})

/**
 * Returns the latest change of the file that the arguments allow and that can be undone. Throws FailureError
 * `nothing_to_undo` without such a change, `stale_read` if the file has changed since, and `not_found` for
 * content that is no longer stored.
 */
async function findReversal(args: UndoArgs, ctx: Ctx): Promise<FileReversal> {
  const place = locatePath(ctx, args.path, 'write')
  const store = await storeOf(ctx)
  const thread = ctx.thread ?? ctx.log.thread?.()
  const writes = thread === undefined ? [] : readFileWrites(store, thread)
  const now = await loadFile(ctx, place)
  const fileWrites = writes.filter(({ path }) => path === place.real)
  for (const write of standingWrites(fileWrites).reverse()) {
    const { event } = store.threads.call(write.call, thread) ?? {}
    const { face: adapter, ok } = (event?.payload ?? {}) as { face?: string; ok?: boolean }
    const before = write.before?.hash ?? null
    const isUntouched = (now?.print ?? null) === before
    // A failed or interrupted call may have written nothing, so it is skipped if the file is untouched.
    if (ok !== true && isUntouched) continue
    if (args.call_id !== undefined && write.call !== args.call_id) continue
    if (args.by !== undefined && ![write.tool, adapter].includes(args.by)) continue
    if ((now?.print ?? null) !== write.after) throw noLongerWritten(place.shown, write)
    const bytes = before === null ? null : store.blobs.get(before)
    if (bytes === undefined) {
      const message = `what ${place.shown} held before ${write.call} is no longer kept`
      throw new FailureError({ code: 'not_found', message })
    }
    const paths = writes.filter(({ call, path }) => call === write.call && path !== place.real)
    const others = [...new Set(paths.map(({ path }) => relative(ctx.cwd, path)))]
    return { place, write, now, bytes, others }
  }
  const message = `no recorded change of ${place.shown} is left to revert`
  throw new FailureError({ code: 'nothing_to_undo', message })
}

function noLongerWritten(shownPath: string, { call }: RecordedWrite): FailureError {
  const message = `${shownPath} is no longer what ${call} has written: it has changed since`
  return new FailureError({ code: 'stale_read', message, hint: 'Read it, and change it as it is now.' })
}

function readFileWrites(store: Store, thread: string): RecordedWrite[] {
  const writes: RecordedWrite[] = []
  for (let from = 0; ; ) {
    const page = store.threads.events(thread, from, 500, ['file.written'])
    for (const event of page) {
      from = event.pos
      if (event.type === 'file.written') writes.push({ ...event.payload, pos: event.pos })
    }
    if (page.length < 500) return writes
  }
}

async function previewOf({ place, now, bytes }: FileReversal) {
  const what = bytes === null ? 'removed' : now === null ? 'made again' : 'put back'
  return previewChange(place.shown, what, shownText(now?.bytes ?? null), shownText(bytes))
}

/**
 * Returns the content as a text to show; null for a missing file. Content with a NUL byte counts as binary
 * and is described by its size.
 */
function shownText(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null
  const isText = !bytes.includes(0)
  return isText ? Buffer.from(bytes).toString('utf8') : `(no text, ${bytes.length} bytes)\n`
}
