// Opens what others have made while the person still reads or writes, so that the first run need not wait.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configDir } from '../../../base/dirs.ts'
import { messageOf } from '../../../base/errors.ts'
import { createUlid } from '../../../base/ids.ts'
import type { DeclaredServer } from '../../../mcp/config/server-config.ts'
import type { WorkspaceContext } from '../../../runtime/workspace/workspace.ts'
import { publishEvent, reportEvent, type SessionState } from '../session-state.ts'

/**
 * Starts the servers and plugins of which nothing is known yet, and says what is wrong with any; nothing is
 * opened where none is configured. Never rejects.
 */
export async function openAhead(
  state: SessionState,
  { servers = [] }: { servers?: readonly DeclaredServer[] },
): Promise<void> {
  if (servers.length === 0 && !hasForeignParts(state.context)) return
  await showNotes(state)
  // a server that the workspace brings can fail later
  const runtime = await state.runtime().catch(() => undefined)
  const { starting } = runtime?.foreign.opened ?? {}
  if (!starting || starting.list().length === 0) return
  await starting.wait(undefined, new AbortController().signal)
  // a run reports what happens during it
  if (!state.running) await showNotes(state)
}

async function showNotes(state: SessionState): Promise<void> {
  const notes = await readNotes(state)
  // a run that waits for them puts them on record itself
  if (state.isClosed || (state.running && state.start !== undefined)) return
  for (const text of notes) {
    if (state.shownNotes.has(text)) continue
    state.shownNotes.add(text)
    const draft = { type: 'model.notice', payload: { code: 'note', text } } as const
    // nothing is written to a thread in which nothing was said
    if (state.start === undefined) await reportEvent(state, draft)
    else publishEvent(state, { ...draft, id: createUlid(), run_id: '', seq: 0, ts: Date.now() })
  }
}

async function readNotes(state: SessionState): Promise<readonly string[]> {
  try {
    return (await (await state.runtime()).foreign.open()).notes()
  } catch (error) {
    return [messageOf(error)]
  }
}

/** Looks at names of files only. */
function hasForeignParts({ env, workspace, trusted, loaded: { config } }: WorkspaceContext): boolean {
  if (config.plugins?.paths?.length) return true
  if (config.mcp?.enabled === false) return false
  return (
    Object.keys(config.mcpServers ?? {}).length > 0 ||
    existsSync(join(configDir(env), 'mcp.json')) ||
    (trusted && existsSync(join(workspace, '.mcp.json')))
  )
}
