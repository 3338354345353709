// Finds hooks where other programs look for them and this one does not; only doctor asks, so it is a file of
// its own.
import { join } from 'node:path'
import { readSmall } from '../../base/files/small-file.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'

/** Files of hooks in the root of the workspace, where other programs look and this one does not. */
export function findStrayHooks({ workspace }: WorkspaceContext): string[] {
  const path = join(workspace, 'hooks.json')
  try {
    const text = readSmall(path) ?? ''
    return /"(PreToolUse|PostToolUse|UserPromptSubmit|SessionStart|SessionEnd|PreCompact)"/.test(text)
      ? [path]
      : []
  } catch {
    // whatever it is, it is no file of hooks
    return []
  }
}
