// Opening of servers and plugins while the user reads or writes, so that the first run need not wait.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { configDir } from '../../../base/dirs.ts'
import { messageOf } from '../../../base/errors.ts'
import type { DeclaredServer } from '../../../mcp/config/server-config.ts'
import type { WorkspaceContext } from '../../../runtime/workspace/workspace.ts'
import type { SessionFeedView } from '../session-feed-view.ts'
import type { SessionRuns } from '../session-runs.ts'
import type { SessionThread } from '../session-thread.ts'
import type { SessionTurns } from '../session-turns.ts'
import type { SessionRuntime } from './session-runtime.ts'

interface AheadParts {
  context: WorkspaceContext
  feed: SessionFeedView
  thread: SessionThread
  runtime: SessionRuntime
  runs: SessionRuns
  turns: SessionTurns
  servers: readonly DeclaredServer[] | undefined
  /** Aborts when the session begins to close. */
  closing: AbortSignal
}

/**
 * Starts the configured servers and plugins whose tools are not known yet, and shows notes about problems.
 * Does nothing if no server or plugin is configured. Never rejects.
 */
export async function openAhead(parts: AheadParts): Promise<void> {
  const { context, servers = [], turns } = parts
  if (servers.length === 0 && !hasForeignParts(context)) return
  await showNotes(parts)
  // servers that the workspace declares start in the background, so their notes follow when they have started
  const runtime = await parts.runtime.open().catch(() => undefined)
  const { starting } = runtime?.foreign.opened ?? {}
  if (!starting || starting.list().length === 0) return
  await starting.wait(undefined, new AbortController().signal)
  // if a run is active, it reports the notes itself
  if (!turns.running) await showNotes(parts)
}

async function showNotes({ runtime, runs, turns, thread, feed, closing }: AheadParts): Promise<void> {
  const notes = await readNotes(runtime)
  // a first run that is about to begin records the notes itself
  if (closing.aborted || (turns.running && runs.start !== undefined)) return
  for (const text of notes) {
    if (runtime.shownNotes.has(text)) continue
    runtime.shownNotes.add(text)
    const draft = { type: 'model.notice', payload: { code: 'note', text } } as const
    // before the first run, notes are not written to the thread
    if (runs.start === undefined) await thread.report(draft)
    else feed.show(draft)
  }
}

async function readNotes(runtime: SessionRuntime): Promise<readonly string[]> {
  try {
    return (await (await runtime.open()).foreign.open()).notes()
  } catch (error) {
    return [messageOf(error)]
  }
}

/** Returns true if servers or plugins may be configured. Checks the configuration and whether files exist. */
function hasForeignParts({ env, workspace, trusted, loaded: { config } }: WorkspaceContext): boolean {
  if (config.plugins?.paths?.length) return true
  if (config.mcp?.enabled === false) return false
  return (
    Object.keys(config.mcpServers ?? {}).length > 0 ||
    existsSync(join(configDir(env), 'mcp.json')) ||
    (trusted && existsSync(join(workspace, '.mcp.json')))
  )
}
