// Reader of the file changes of a call from its arguments and its result.
import type { CallBlock } from '../../../session/view/session-view.ts'

export interface ShownDiff {
  path: string
  what: string
  /**
   * Hunks of a unified diff, without the lines that name the file. For a created file without a diff, its
   * lines, each after `+`, without a hunk header.
   */
  hunks: string
}

/**
 * Returns the diffs of a call that ended well. A call that has no result, failed, changed no file, or only
 * tried the change (a dry run) has none.
 */
export function readCallDiffs({ result, args }: Pick<CallBlock, 'result' | 'args'>): ShownDiff[] {
  const data = (result?.ok === true && result.data ? result.data : {}) as Record<string, unknown>
  const { diffs, diff, path, dry_run: isTrial, action } = data
  if (isTrial === true) return []
  if (Array.isArray(diffs)) return diffs.filter(isShownDiff)
  if (typeof path !== 'string') return []
  // The first two lines of a whole diff contain the file's name and are removed.
  if (typeof diff === 'string')
    return [{ path, what: 'changed', hunks: diff.split('\n').slice(2).join('\n') }]
  const content = (args as { content?: unknown } | undefined)?.content
  if (action !== 'created' || typeof content !== 'string') return []
  const lines = content.replace(/\n$/, '').split('\n')
  return [{ path, what: 'created', hunks: lines.map((line) => `+${line}\n`).join('') }]
}

/** Tools that change no file of the workspace, also if they fail. */
const readingTools = new Set([
  ...['read', 'multi_read', 'read_document', 'look_at', 'grep', 'glob', 'finder', 'fs_list', 'fs_stat'],
  ...['web_fetch', 'web_search', 'scholar_search', 'ask_user', 'think', 'clock', 'sleep', 'plan_enter'],
  ...['todo_read', 'todo_write', 'list_skills', 'skill', 'tool_search', 'find_thread', 'read_thread'],
])

/** Returns true if a call may have changed files: it shows a diff, or its tool is not known to only read. */
export const mayChangeFiles = (block: CallBlock): boolean =>
  readCallDiffs(block).length > 0 || !readingTools.has(block.tool)

function isShownDiff(value: unknown): value is ShownDiff {
  const { path, what, hunks } = (value ?? {}) as Record<string, unknown>
  return [path, what, hunks].every((one) => typeof one === 'string')
}
