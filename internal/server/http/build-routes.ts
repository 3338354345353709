// HTTP routes of builds: state, entries of the journal, start and cancellation.
import type * as z from 'zod/mini'
import { demandWorkspace } from './demand-workspace.ts'
import { streamRecords } from './event-stream.ts'
import { ProblemError } from './problem.ts'
import { buildWishesSchema } from './run-commands.ts'
import { onceById } from './sent-once.ts'
import { type ServerRoute, sendJson, sendStarted } from './server-route.ts'

const listBuilds: ServerRoute = {
  method: 'get',
  path: '/v1/builds',
  scope: 'read',
  gives: 'application/json',
  summary: 'Builds, latest first, as `build list --json`',
  handle: async ({ backend }) => sendJson({ builds: await backend.builds.list() }),
}

const startedBuilds = onceById<{ id: string }>()

const startBuild: ServerRoute = {
  method: 'post',
  path: '/v1/builds',
  // Starting a build needs the scope `approve`, because its plan contains commands.
  scope: 'approve',
  gives: 'application/json',
  starts: true,
  body: buildWishesSchema,
  summary: 'Start a build of a workspace, as `anode build --yes`, from a goal or a plan file',
  async handle({ backend, body, onceKey, scopes }) {
    const wishes = body as z.output<typeof buildWishesSchema>
    await demandWorkspace(wishes.workspace, backend, scopes)
    return sendStarted(await startedBuilds(onceKey, async () => ({ id: await backend.builds.start(wishes) })))
  },
}

const showBuild: ServerRoute = {
  method: 'get',
  path: '/v1/builds/{id}',
  scope: 'read',
  gives: 'application/json',
  summary:
    'State of a build: its tasks, what they wait for, queue, branch and cost, as `build status --json`',
  async handle({ backend, param }) {
    const board = await backend.builds.board(param('id'))
    if (!board) throw unknownBuild(param('id'))
    return sendJson(board)
  },
}

const followBuildEvents: ServerRoute = {
  method: 'get',
  path: '/v1/builds/{id}/events',
  scope: 'read',
  gives: 'text/event-stream',
  summary: 'What happens in a build, an event for each entry; `Last-Event-ID` or `after` says from where',
  query: { after: 'Number of the last entry that the client has; 0 for all' },
  handle: (call) => streamRecords(call, (id, after) => call.backend.builds.records(id, after), unknownBuild),
}

const cancelBuild: ServerRoute = {
  method: 'post',
  path: '/v1/builds/{id}/cancel',
  scope: 'act',
  gives: 'application/json',
  summary: 'Cancel a build after its current steps; `anode build resume` continues it',
  async handle({ backend, param }) {
    const outcome = await backend.builds.cancel(param('id'))
    if (!outcome) throw unknownBuild(param('id'))
    return sendJson({ outcome })
  },
}

const unknownBuild = (id: string) => new ProblemError(404, `build not found: ${id}`)

export const buildRoutes: readonly ServerRoute[] = [
  ...[listBuilds, startBuild, showBuild, followBuildEvents, cancelBuild],
]
