// The runtime of a session: its own tools at once, those that others have made once a run can use them.

import { defined } from '../../../base/defined.ts'
import type { DeclaredServer } from '../../../mcp/config/server-config.ts'
import type { Mode } from '../../../policy/level.ts'
import type { ShowStart } from '../../../process/process-command.ts'
import type { Profile } from '../../../profile/profile.ts'
import { openRuntime } from '../../../runtime/open-runtime.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { awaitNamedTools, checkToolNames } from '../../../runtime/toolset/tool-name-check.ts'
import type { ToolsetRequest } from '../../../runtime/toolset/toolset-session.ts'
import type { WorkspaceContext } from '../../../runtime/workspace/workspace.ts'
import type { UserChannel } from '../../../tool/ctx.ts'
import type { EditorFiles } from '../../../tool/editor-files.ts'
import { features } from '../../features/index.ts'

export interface SessionRuntimeOptions {
  context: WorkspaceContext
  addDirs: readonly string[]
  tools: readonly string[] | undefined
  editor?: EditorFiles
  servers?: readonly DeclaredServer[]
  mode: Mode
  user: UserChannel
  toolset: ToolsetRequest
  /** Aborts when the session ends. */
  signal: AbortSignal
  showStart: ShowStart
}

export interface SessionRuntime {
  readonly runtime: Runtime
  /** The same, once all tools are known that the profile can use. Rejects as `Runtime.foreign.open`. */
  openFor(profile: Profile): Promise<Runtime>
}

/** Throws UserError for tools that are none, and for a configuration that is broken. */
export async function openSessionRuntime(options: SessionRuntimeOptions): Promise<SessionRuntime> {
  const { context, addDirs, tools, editor, servers, mode, user, toolset, signal, showStart } = options
  const isWhole = tools !== undefined || toolset.name !== 'anode' || Boolean(toolset.only ?? toolset.extra)
  const runtime = await openRuntime({
    ...{ cwd: context.workspace, env: context.env, mode, addDirs, isForeignLater: !isWhole },
    isWorkspaceLater: true,
    ...{ signal, features, terminal: undefined, user, showStart },
    ...defined({ editor, servers }),
  })
  // an agent that is started may call anything
  const own = new Set(runtime.entries().flatMap(({ name, spawns }) => (spawns ? [] : [name])))
  await awaitNamedTools(
    [...(tools ?? []), ...(toolset.only ?? []), ...(toolset.extra ?? [])],
    runtime,
    signal,
  )
  await runtime.openToolset(toolset)
  const names = runtime.entries().map(({ name }) => name)
  checkToolNames(tools, [...names, ...(runtime.toolset?.faceNames ?? [])])
  return {
    runtime,
    async openFor(profile) {
      if (!profile.tools.every((name) => own.has(name))) await runtime.foreign.open()
      return runtime
    },
  }
}

/** Calls `changed` with all names that are being started, whenever that changes. */
export function startList(changed: (names: readonly string[]) => void): ShowStart {
  let names: readonly { name: string }[] = []
  const set = (next: typeof names) => {
    names = next
    changed(names.map(({ name }) => name))
  }
  return async (name, start) => {
    const one = { name }
    set([...names, one])
    try {
      return await start
    } finally {
      set(names.filter((other) => other !== one))
    }
  }
}
