// Notice in the result of a call that changed files outside of the paths that the task may change.
import { isRead } from '../../policy/level.ts'
import type { ListedTool } from '../../tool/catalog.ts'
import type { Tool } from '../../tool/tool.ts'

interface ScopeWatch {
  /** Returns the paths of the worktree that differ from its commit. */
  listChanged(): Promise<readonly string[]>
  /** Returns the elements of `paths` that the task may not change. */
  listOutside(paths: readonly string[]): readonly string[]
}

/**
 * Wraps the tools that can change files. Their results report the changed paths that the task may not change,
 * each path only once.
 */
export function noticeScope(tools: readonly ListedTool[], watch: ScopeWatch): ListedTool[] {
  const reported = new Set<string>()
  return tools.map((listed) =>
    isRead(listed.level)
      ? listed
      : { ...listed, load: async () => watchTool(await listed.load(), watch, reported) },
  )
}

function watchTool(tool: Tool, watch: ScopeWatch, reported: Set<string>): Tool {
  return {
    ...tool,
    async run(args, ctx) {
      const result = await tool.run(args, ctx)
      const outside = watch.listOutside(await watch.listChanged()).filter((path) => !reported.has(path))
      if (outside.length === 0) return result
      for (const path of outside) reported.add(path)
      const closing = [result.closing, describeOutside(outside)].filter((text) => text).join('\n')
      return { ...result, closing }
    },
  }
}

const maxNames = 20

const describeOutside = (paths: readonly string[]): string =>
  `outside of the scope of this task: ${paths.slice(0, maxNames).join(', ')}. The task fails ` +
  'with these changes. Undo them: restore a changed file with `git checkout -- PATH`, remove a new one.'
