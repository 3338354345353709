// Undo and redo of file changes in a session: previewed first, then applied exactly as previewed.
import { createHash } from 'node:crypto'
import type { CommandReply, UndoPreview } from '../../session/client.ts'
import type { SessionParts } from './session-parts.ts'

interface UndoRequest {
  to?: number | undefined
  preview?: string | undefined
  redo?: boolean | undefined
}

type UndoParts = Pick<SessionParts, 'context' | 'thread' | 'feed' | 'notes' | 'turns'>

/**
 * Previews an undo or a redo, or applies it if `preview` is the id of its current preview. Returns an error
 * reply for any other id, and while a run is active. No run and no other undo of the session can change files
 * between the check of the preview and the end.
 */
export const undoFiles = (parts: UndoParts, request: UndoRequest): Promise<CommandReply> =>
  parts.turns.exclude(() => previewOrApply(parts, request))

async function previewOrApply(
  { context, thread, feed, notes }: UndoParts,
  { to, preview, redo = false }: UndoRequest,
): Promise<CommandReply> {
  const { applyUndo, prepareUndo } = await import('../threads/undo.ts')
  const store = await thread.store()
  const stored = store.threads.get(thread.id)
  const nothing: UndoPreview = { id: '', files: [], left: [] }
  if (!stored) return { ...feed.accept(), undo: nothing }
  const plan = await prepareUndo(store, stored, { after: to, redo }, context.workspace)
  const id = createHash('sha256').update(JSON.stringify(plan)).digest('hex')
  const { previews: files, left: leftFiles, message, skipped } = plan
  const undoPreview: UndoPreview = { id, files, left: leftFiles, message, skipped }
  if (preview === undefined) return { ...feed.accept(), undo: undoPreview }
  if (preview !== id) {
    const changed = 'a file changed after the preview, so nothing was restored'
    return { ok: false, code: 'changed', message: changed, hint: 'preview it again' }
  }
  await applyUndo(store, stored, plan, { env: context.env, tool: redo ? 'redo' : 'undo' })
  const names = files.map(({ path, what }) => `${path} (${what})`)
  notes.add(`[The user has ${redo ? 'redone' : 'undone'} changes of files: ${names.join(', ')}]`)
  return { ...feed.accept(), undo: undoPreview }
}
