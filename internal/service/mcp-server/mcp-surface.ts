// Selection of a workspace's tools that the MCP server offers to its clients.
import type { McpCaller, McpSurface } from '../../mcp-server/surface.ts'
import { joinAnswerers, joinApprovers } from '../../runtime/relay/joined-answerers.ts'
import {
  loadWorkspaceProfiles,
  openWorkspaceSkills,
  readWorkspaceContext,
} from '../../runtime/workspace/workspace.ts'
import { type CallRequest, invoke } from '../../tool/invoke.ts'
import { approvalText } from '../../tui/approval/approval-text.ts'
import { type DirectCallOptions, type DirectCallSession, openDirectCalls } from '../calls/direct-call.ts'
import { adviseFlag, cancelledOnly, isLasting, rulesForLines } from './verify-surface.ts'
import { workspaceResources } from './workspace-resources.ts'

export interface OpenedSurface extends McpSurface {
  /** Notices for the user. */
  notes: readonly string[]
  close(): Promise<void>
}

export type SurfaceOptions = Pick<
  DirectCallOptions,
  'cwd' | 'env' | 'signal' | 'profile' | 'mode' | 'addDirs' | 'sandbox' | 'only'
> & {
  /**
   * Command lines that `prove` and `research_compare` may run without approval, in addition to the checks of
   * the workspace's profiles.
   */
  allow?: readonly string[]
}

/** Opens the tools. Every call is recorded. Throws UserError for an unknown profile. */
export async function openMcpSurface(options: SurfaceOptions): Promise<OpenedSurface> {
  const context = await readWorkspaceContext(options.cwd, options.env)
  const profiles = await loadWorkspaceProfiles(context)
  const checks = profiles.all.flatMap(({ until = [] }) => until)
  const session = await openDirectCalls({
    ...options,
    rules: rulesForLines([...(options.allow ?? []), ...checks]),
    approval: 'none',
    record: 'always',
    terminal: undefined,
  })
  const { workspace, data, env } = context
  const skills = await openWorkspaceSkills(context)
  const offers = (name: string) => session.catalog.find(name)?.hidden === undefined
  const store = session.ctx.can.records.store
  if (!store) throw new Error('direct calls have no store')
  const lasting = new Set<Promise<unknown>>()
  const keep = (call: Promise<unknown>) => {
    lasting.add(call)
    const drop = () => lasting.delete(call)
    call.then(drop, drop)
  }
  return {
    version: process.env.ANODE_VERSION ?? '0',
    instructions: `Tools of Anode over the workspace ${workspace}. Paths are relative to it.`,
    notes: session.notes,
    tools: () => session.catalog.entries,
    call(request, caller) {
      const result = callForClient(session, request, caller)
      if (isLasting(request.name)) keep(result)
      return result
    },
    describe: approvalText,
    ...workspaceResources({ workspace, data, env, signal: options.signal, store, offers }),
    prompts: async () => (await skills.list()).map(({ name, description }) => ({ name, description })),
    async prompt(name, input) {
      return (await skills.load(name, input))?.text
    },
    async close() {
      await Promise.allSettled(lasting)
      await session.close()
    },
  }
}

function callForClient({ catalog, ctx, asking }: DirectCallSession, request: CallRequest, caller: McpCaller) {
  const { user: _, ...can } = ctx.can
  const user = caller.user || asking.relay ? joinAnswerers(caller.user, asking) : undefined
  const ends = isLasting(request.name) ? cancelledOnly(caller.signal) : caller.signal
  return invoke(
    catalog,
    {
      ...ctx,
      signal: AbortSignal.any([ctx.signal, ends]),
      gate: { ...ctx.gate, ask: adviseFlag(joinApprovers(caller.ask, asking, () => undefined)) },
      can: { ...can, ...(user && { user }) },
      log: {
        ...ctx.log,
        async append(draft) {
          if (draft.type === 'tool.progress') return caller.report(draft.payload)
          await ctx.log.append(draft)
        },
      },
    },
    request,
  )
}
