// Search for hooks files in places where other programs read them and Anode does not. Only `anode doctor`
// loads this code.
import { join } from 'node:path'
import { readSmall } from '../../base/files/open-file.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'

/**
 * Returns a list with the path of `hooks.json` in the root of the workspace if it contains hooks, because
 * Anode does not read it there; otherwise an empty list.
 */
export function findStrayHooks({ workspace }: WorkspaceContext): string[] {
  const path = join(workspace, 'hooks.json')
  try {
    const text = readSmall(path) ?? ''
    return /"(PreToolUse|PostToolUse|UserPromptSubmit|SessionStart|SessionEnd|PreCompact)"/.test(text)
      ? [path]
      : []
  } catch {
    // an unreadable or invalid file is not a hooks file
    return []
  }
}
