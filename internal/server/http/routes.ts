// Routes of the interface, each with its scope, body and handler. The description of the interface is
// generated from them.
import { isAbsolute } from 'node:path'
import * as z from 'zod/mini'
import { type SessionCommand, sessionCommandSchema } from '../../session/commands.ts'
import type { ToolWishes, UsageWishes } from '../backend.ts'
import { buildRoutes } from './build-routes.ts'
import { demandWorkspace } from './demand-workspace.ts'
import { followRun, readPosition, streamEvents } from './event-stream.ts'
import { ProblemError } from './problem.ts'
import { demandScope } from './request-guard.ts'
import { researchRoutes } from './research-routes.ts'
import { runWishesSchema, scopeOfCommand } from './run-commands.ts'
import { onceById } from './sent-once.ts'
import { type RouteCall, type ServerRoute, sendJson, sendStarted } from './server-route.ts'
import { studyRoutes } from './study-routes.ts'
import { topicRoutes } from './topic-routes.ts'

const openPage: ServerRoute = {
  method: 'post',
  path: '/v1/page',
  scope: 'read',
  gives: 'application/json',
  summary: 'Exchange a token for a cookie that scripts cannot read, and the key that the page sends with it',
  async handle(call) {
    const { cookie, key } = await call.openPage()
    return Response.json({ key, scopes: call.scopes }, { headers: { 'set-cookie': cookie } })
  },
}

const showAccess: ServerRoute = {
  method: 'get',
  path: '/v1/access',
  scope: 'read',
  gives: 'application/json',
  summary: 'Scopes of the token, and the version of the server',
  handle: ({ scopes, backend }) => sendJson({ scopes, version: backend.version }),
}

const listRuns: ServerRoute = {
  method: 'get',
  path: '/v1/runs',
  scope: 'read',
  gives: 'application/json',
  summary: 'All runs, newest first',
  handle: async ({ backend }) => sendJson({ runs: await backend.runs.list() }),
}

const startedRuns = onceById<{ thread: string }>()

const startRun: ServerRoute = {
  method: 'post',
  path: '/v1/runs',
  scope: 'act',
  gives: 'application/json',
  starts: true,
  body: runWishesSchema,
  summary: 'Begin a run; a mode above `ask`, and `until`, want the scope `approve`',
  async handle({ backend, body, onceKey, scopes }) {
    const wishes = body as z.output<typeof runWishesSchema>
    // Commands in `until` run without approval, so they need the scope `approve`.
    if (wishes.mode !== 'ask' || wishes.until) demandScope(scopes, 'approve')
    await demandWorkspace(wishes.workspace, backend, scopes)
    return sendStarted(await startedRuns(onceKey, () => backend.runs.start(wishes)))
  },
}

const showRun: ServerRoute = {
  method: 'get',
  path: '/v1/runs/{thread}',
  scope: 'read',
  gives: 'application/json',
  summary: 'State of one run',
  async handle({ backend, param }) {
    const run = await backend.runs.read(param('thread'))
    if (!run) throw unknownRun(param('thread'))
    return sendJson(run)
  },
}

const cancelRun: ServerRoute = {
  method: 'post',
  path: '/v1/runs/{thread}/cancel',
  scope: 'act',
  gives: 'application/json',
  summary: 'End a run',
  handle: async ({ backend, param }) => sendJson({ outcome: await backend.runs.cancel(param('thread')) }),
}

const sendCommand: ServerRoute = {
  method: 'post',
  path: '/v1/runs/{thread}/commands',
  scope: 'act',
  gives: 'application/json',
  body: sessionCommandSchema,
  summary: 'Say, steer, stop, answer; answers to permissions, shell lines and modes want the scope `approve`',
  async handle({ backend, param, body, id, scopes }) {
    const command = body as SessionCommand
    if (id === undefined) throw new ProblemError(400, 'the command has no client id')
    demandScope(scopes, scopeOfCommand(command))
    const client = await backend.runs.join(param('thread'))
    if (!client) throw unknownRun(param('thread'))
    try {
      const reply = await client.sendCommand({ ...command, id })
      return sendJson(reply, reply.ok ? 200 : 409)
    } finally {
      await client.detach()
    }
  },
}

const followEvents: ServerRoute = {
  method: 'get',
  path: '/v1/runs/{thread}/events',
  scope: 'read',
  gives: 'text/event-stream',
  summary: 'Events of a run, stored ones once and in order; `Last-Event-ID` or `after` says from where',
  query: { after: 'Position of the last event that the client has; 0 for all' },
  async handle(call) {
    const { backend, param } = call
    const after = readPosition(call)
    const thread = param('thread')
    if (!(await backend.runs.readStored(thread, after)) && !(await backend.runs.has(thread)))
      throw unknownRun(thread)
    return streamEvents(call, (signal) => followRun(backend.runs, thread, after, signal))
  },
}

const listApprovals: ServerRoute = {
  method: 'get',
  path: '/v1/runs/{thread}/approvals',
  scope: 'read',
  gives: 'application/json',
  summary: 'The calls of a run that wait for an answer, each with all that has to be seen before one',
  handle: async ({ backend, param }) =>
    sendJson({ approvals: await backend.runs.describeApprovals(param('thread')) }),
}

const listThreads: ServerRoute = {
  method: 'get',
  path: '/v1/threads',
  scope: 'read',
  gives: 'application/json',
  summary: 'Conversations, latest first',
  query: { workspace: 'Only of this workspace', text: 'Only those that contain these words' },
  async handle({ backend, query }) {
    const threadFilter = {
      workspace: query.get('workspace') ?? undefined,
      text: query.get('text') ?? undefined,
    }
    return sendJson({ threads: await backend.runs.listThreads(threadFilter) })
  },
}

/**
 * Scope of requests about tools. Even listing tools may start an MCP server, as a run does, so `read`
 * is not enough.
 */
const toolScope = 'act'

const toolQuery = { workspace: 'Absolute path; what it offers', profile: 'Only what this profile may call' }

const listTools: ServerRoute = {
  method: 'get',
  path: '/v1/tools',
  scope: toolScope,
  gives: 'application/json',
  query: toolQuery,
  summary: 'Tools of a workspace; hidden ones with the reason',
  handle: async (call) => sendJson({ tools: await call.backend.tools.list(await readToolWishes(call)) }),
}

const showTool: ServerRoute = {
  method: 'get',
  path: '/v1/tools/{name}',
  scope: toolScope,
  gives: 'application/json',
  query: toolQuery,
  summary: 'One tool: level, what it does, schema of its arguments, an example',
  async handle(call) {
    const name = call.param('name')
    const tool = await call.backend.tools.show(name, await readToolWishes(call))
    if (tool === undefined) throw new ProblemError(404, `tool not found: ${name}`)
    return sendJson(tool)
  },
}

const toolCallSchema = z.strictObject({
  workspace: z.string(),
  profile: z.optional(z.string()),
  args: z._default(z.record(z.string(), z.unknown()), {}),
  allow: z._default(z.boolean(), false),
})

const usedTools = onceById<{ ok: boolean }>()

const useTool: ServerRoute = {
  method: 'post',
  path: '/v1/tools/{name}',
  scope: toolScope,
  gives: 'application/json',
  body: toolCallSchema,
  summary:
    'Use one tool, as `tools use`; with `allow`, which wants the scope `approve`, it may do more than read',
  async handle({ backend, param, body, onceKey, scopes, signal }) {
    const wishes = body as z.output<typeof toolCallSchema>
    if (wishes.allow) demandScope(scopes, 'approve')
    await demandWorkspace(wishes.workspace, backend, scopes)
    const name = param('name')
    const result = await usedTools(onceKey, () => backend.tools.use(name, { ...wishes, signal }))
    return sendJson(result, result.ok ? 200 : 409)
  },
}

async function readToolWishes({ query, signal, backend, scopes }: RouteCall): Promise<ToolWishes> {
  const workspace = query.get('workspace') ?? ''
  await demandWorkspace(workspace, backend, scopes)
  return { workspace, profile: query.get('profile') ?? undefined, signal }
}

const showChoices: ServerRoute = {
  method: 'get',
  path: '/v1/choices',
  scope: 'read',
  gives: 'application/json',
  summary: 'Models and profiles that a run can be switched to, each usable or with the reason why not',
  query: { workspace: 'Absolute path', thread: 'In place of it: the conversation that is meant' },
  async handle({ backend, query }) {
    const workspace = query.get('workspace') ?? ''
    const thread = query.get('thread')
    if (thread === null && !isAbsolute(workspace))
      throw new ProblemError(400, 'workspace must be an absolute path')
    const choices = await backend.readChoices(thread === null ? { workspace } : { thread })
    if (!choices) throw unknownRun(thread ?? '')
    return sendJson(choices)
  },
}

const usageKeys: readonly UsageWishes['by'][] = ['day', 'model', 'profile', 'thread', 'tool']

const readUsage: ServerRoute = {
  method: 'get',
  path: '/v1/usage',
  scope: 'read',
  gives: 'application/json',
  summary: 'Tokens by kind and money of this data directory, as `anode usage --json`',
  query: { by: `One of ${usageKeys.join(', ')}; day without it`, since: 'Only from then on: ISO 8601' },
  async handle({ backend, query }) {
    const by = usageKeys.find((key) => key === (query.get('by') ?? 'day'))
    if (!by) throw new ProblemError(400, `by must be one of ${usageKeys.join(', ')}`)
    const text = query.get('since')
    const since = text === null ? undefined : Date.parse(text)
    if (Number.isNaN(since)) throw new ProblemError(400, 'since must be an ISO 8601 date')
    return sendJson(await backend.readUsage({ by, since }))
  },
}

const showPermissions: ServerRoute = {
  method: 'get',
  path: '/v1/permissions',
  scope: 'read',
  gives: 'application/json',
  summary:
    'Rules in force in a workspace, recent decisions with their reasons, rules that would spare questions',
  query: { workspace: 'Absolute path of one that has runs' },
  async handle({ backend, query }) {
    const overview = await backend.readPermissions(query.get('workspace') ?? '')
    if (!overview) throw new ProblemError(404, 'no workspace with this name has runs')
    return sendJson(overview)
  },
}

const readMetrics: ServerRoute = {
  method: 'get',
  path: '/metrics',
  scope: 'read',
  gives: 'text/plain',
  summary: 'Counts for Prometheus',
  async handle({ backend, counts }) {
    const [runs, activity] = await Promise.all([backend.runs.list(), backend.readActivity()])
    const text = counts.format(runs, activity)
    return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4' } })
  },
}

const unknownRun = (thread: string) => new ProblemError(404, `run not found: ${thread}`)

export const serverRoutes: readonly ServerRoute[] = [
  ...[openPage, showAccess],
  ...[listRuns, startRun, showRun, cancelRun, sendCommand, followEvents, listApprovals],
  ...topicRoutes,
  listThreads,
  ...studyRoutes,
  ...buildRoutes,
  ...researchRoutes,
  ...[listTools, showTool, useTool, showChoices, readUsage, showPermissions, readMetrics],
]
