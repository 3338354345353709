// The runtime of a session, opened at its first use. MCP servers start and tools of plugins are added when a
// run can use them, but at once if the session names its tools or has another toolset than `anode`.
import type { DeclaredServer } from '../../../mcp/config/server-config.ts'
import type { CommandHost, ShowStart } from '../../../process/process-command.ts'
import type { Profile } from '../../../profile/profile.ts'
import { openRuntime } from '../../../runtime/open-runtime.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { awaitNamedTools, checkToolNames } from '../../../runtime/toolset/requested-toolset.ts'
import type { WorkspaceContext } from '../../../runtime/workspace/workspace.ts'
import type { UserChannel } from '../../../tool/ctx.ts'
import type { EditorFiles } from '../../../tool/editor-files.ts'
import { features } from '../../features/index.ts'
import type { AgentSettings } from '../agent-settings.ts'
import type { SessionFeedView } from '../session-feed-view.ts'
import type { SessionThread } from '../session-thread.ts'

interface RuntimeParts {
  context: WorkspaceContext
  settings: AgentSettings
  feed: SessionFeedView
  thread: SessionThread
  user: UserChannel
  addDirs: readonly string[]
  editor: EditorFiles | undefined
  commandHost: CommandHost | undefined
  servers: readonly DeclaredServer[] | undefined
}

/** Opens the runtime at its first use. `close` closes it only if it was opened. */
export class SessionRuntime {
  /** Notes about servers and plugins that were shown already. */
  readonly shownNotes = new Set<string>()
  readonly #parts: RuntimeParts
  readonly #closing = new AbortController()
  #opening: Promise<{ runtime: Runtime; ownTools: ReadonlySet<string> }> | undefined

  constructor(parts: RuntimeParts) {
    this.#parts = parts
  }

  /** Whether the runtime was opened or is being opened. */
  get isOpen(): boolean {
    return this.#opening !== undefined
  }

  /** Opens the runtime. Throws UserError for unknown tools and for an invalid configuration. */
  async open(): Promise<Runtime> {
    return (await this.#open()).runtime
  }

  /**
   * Opens the runtime with all tools that the profile can use. Unless every entry of the profile is the name
   * of a built-in tool that starts no subagents, this also starts MCP servers and plugins. Rejects if they
   * cannot be opened.
   */
  async openFor(profile: Profile): Promise<Runtime> {
    const { runtime, ownTools } = await this.#open()
    if (!profile.tools.every((name) => ownTools.has(name))) await runtime.foreign.open()
    return runtime
  }

  /** Gives running commands less time to end. */
  hurry(): void {
    void this.#opening?.then(
      ({ runtime }) => runtime.resources.background.hurry?.(),
      () => undefined,
    )
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the session has ended'))
    // a runtime that failed to open needs no close
    const opened = await this.#opening?.catch(() => undefined)
    await opened?.runtime.close()
  }

  #open() {
    this.#opening ??= openTools(this.#parts, this.#closing.signal)
    return this.#opening
  }
}

async function openTools(
  { context, settings, feed, thread, user, addDirs, editor, commandHost, servers }: RuntimeParts,
  signal: AbortSignal,
) {
  const { toolset, tools } = settings
  const isWhole = tools !== undefined || toolset.name !== 'anode' || Boolean(toolset.only ?? toolset.extra)
  const runtime = await openRuntime({
    cwd: context.workspace,
    env: context.env,
    mode: settings.agent.mode,
    addDirs,
    isForeignLater: !isWhole,
    isWorkspaceLater: true,
    signal,
    features,
    terminal: undefined,
    user,
    showStart: startList((starting) => feed.change((view) => ({ ...view, starting }))),
    editor,
    commandHost,
    servers,
  })
  // tools that start subagents do not count as built in, because a subagent may call tools of
  // servers and plugins
  const ownTools = new Set(runtime.entries().flatMap(({ name, spawns }) => (spawns ? [] : [name])))
  const { only = [], extra = [] } = toolset
  await awaitNamedTools([...(tools ?? []), ...(only ?? []), ...(extra ?? [])], runtime, signal)
  await runtime.openToolset(toolset)
  const names = runtime.entries().map(({ name }) => name)
  checkToolNames(tools, [...names, ...(runtime.toolset?.faceNames ?? [])])
  thread.trace = runtime.resources.trace
  return { runtime, ownTools }
}

/**
 * Returns a function that waits until a server or plugin has started. Calls `changed` with the names of all
 * that are still starting, whenever one is added or removed.
 */
function startList(changed: (names: readonly string[]) => void): ShowStart {
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
