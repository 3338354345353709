// Undoing what the tools of a session have written: shown first, then done exactly so or not at all.
import { createHash } from 'node:crypto'
import type { CommandReply, UndoPreview } from '../../session/client.ts'
import { acceptCommand, type SessionState } from './session-state.ts'

interface UndoRequest {
  to?: number | undefined
  preview?: string | undefined
}

export async function undoFiles(state: SessionState, { to, preview }: UndoRequest): Promise<CommandReply> {
  if (state.running) return { ok: false, code: 'busy', message: 'a run goes on: stop it or wait for its end' }
  const { applyUndo, prepareUndo, readWrites } = await import('../threads/undo.ts')
  const { context, thread } = state
  const store = await thread.store()
  const stored = store.threads.get(thread.id)
  const nothing: UndoPreview = { id: '', files: [], left: [] }
  if (!stored) return { ...acceptCommand(state), undo: nothing }
  const range = to === undefined ? {} : { after: to }
  const plan = await prepareUndo(store, readWrites(store, stored, range), context.workspace)
  const id = createHash('sha256').update(JSON.stringify(plan)).digest('hex')
  const shown: UndoPreview = { id, files: plan.previews, left: plan.left }
  if (preview === undefined) return { ...acceptCommand(state), undo: shown }
  if (preview !== id) {
    const message = 'a file has changed since this was shown, so nothing was undone'
    return { ok: false, code: 'changed', message, hint: 'look at it once more' }
  }
  await applyUndo(store, stored, plan, context.env)
  const names = plan.previews.map(({ path, what }) => `${path} (${what})`)
  state.notes.push(`[the person has undone changes of files: ${names.join(', ')}]`)
  return { ...acceptCommand(state), undo: shown }
}
