// Hides the tools of an experiment session while the workspace has none.
import type { ListedTool } from '../../tool/catalog.ts'

/** Tools that make sense only in a session. */
const needing = new Set(['run_experiment', 'log_experiment'])

/**
 * The tools of a model, without those of a session while no session is active. The same array until it
 * changes.
 */
export function hideInactiveExperiments(
  tools: () => readonly ListedTool[],
  active: () => boolean,
): () => readonly ListedTool[] {
  let lastTools: readonly ListedTool[] | undefined
  let was: boolean | undefined
  let made: readonly ListedTool[] = []
  let needsOne = true
  return () => {
    const now = tools()
    if (now !== lastTools)
      needsOne = now.some(({ name, hidden }) => needing.has(name) && hidden === undefined)
    const is = needsOne && active()
    if (now !== lastTools || is !== was) {
      const idle = 'there is no experiment session here yet'
      made = is
        ? now
        : now.map((entry) =>
            needing.has(entry.name) && entry.hidden === undefined ? { ...entry, hidden: idle } : entry,
          )
    }
    lastTools = now
    was = is
    return made
  }
}
