// Undoing what the tools of a session have written: shown first, then done exactly so or not at all.
import { createHash } from 'node:crypto'
import type { CommandReply, UndoPreview } from '../../session/client.ts'
import type { SessionParts } from './session-parts.ts'

interface UndoRequest {
  to?: number | undefined
  preview?: string | undefined
}

type UndoParts = Pick<SessionParts, 'context' | 'thread' | 'feed' | 'notes' | 'turns'>

export async function undoFiles(
  { context, thread, feed, notes, turns }: UndoParts,
  { to, preview }: UndoRequest,
): Promise<CommandReply> {
  if (turns.running)
    return { ok: false, code: 'busy', message: 'a run is under way: stop it or wait for its end' }
  const { applyUndo, prepareUndo, readWrites } = await import('../threads/undo.ts')
  const store = await thread.store()
  const stored = store.threads.get(thread.id)
  const nothing: UndoPreview = { id: '', files: [], left: [] }
  if (!stored) return { ...feed.accept(), undo: nothing }
  const range = to === undefined ? {} : { after: to }
  const plan = await prepareUndo(store, readWrites(store, stored, range), context.workspace)
  const id = createHash('sha256').update(JSON.stringify(plan)).digest('hex')
  const shown: UndoPreview = { id, files: plan.previews, left: plan.left }
  if (preview === undefined) return { ...feed.accept(), undo: shown }
  if (preview !== id) {
    const message = 'a file has changed since this was shown, so nothing was undone'
    return { ok: false, code: 'changed', message, hint: 'look at it once more' }
  }
  await applyUndo(store, stored, plan, context.env)
  const names = plan.previews.map(({ path, what }) => `${path} (${what})`)
  notes.add(`[the user has undone changes of files: ${names.join(', ')}]`)
  return { ...feed.accept(), undo: shown }
}
