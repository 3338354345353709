// HTTP routes of experiment sessions: list, start, state, records of the ledger, and control of
// the experiment loop.
import type * as z from 'zod/mini'
import { demandWorkspace } from './demand-workspace.ts'
import { streamRecords } from './event-stream.ts'
import { ProblemError } from './problem.ts'
import { researchWishesSchema } from './run-commands.ts'
import { onceById } from './sent-once.ts'
import { type ServerRoute, sendJson, sendStarted } from './server-route.ts'

const listResearch: ServerRoute = {
  method: 'get',
  path: '/v1/research',
  scope: 'read',
  gives: 'application/json',
  summary: 'Experiment sessions, newest first',
  handle: async ({ backend }) => sendJson({ sessions: await backend.research.list() }),
}

const startedSessions = onceById<{ id: string }>()

/** Starting an experiment needs the scope `approve`, because its benchmark can be any command. */
const startResearch: ServerRoute = {
  method: 'post',
  path: '/v1/research',
  scope: 'approve',
  gives: 'application/json',
  starts: true,
  body: researchWishesSchema,
  summary: 'Start a session of experiments and its loop, as `research init` and `research auto`',
  async handle({ backend, body, onceKey, scopes }) {
    const wishes = body as z.output<typeof researchWishesSchema>
    await demandWorkspace(wishes.workspace, backend, scopes)
    const start = async () => ({ id: await backend.research.start(wishes) })
    return sendStarted(await startedSessions(onceKey, start))
  },
}

const showResearch: ServerRoute = {
  method: 'get',
  path: '/v1/research/{id}',
  scope: 'read',
  gives: 'application/json',
  summary: 'State of a session: every run with its interval and verdict, best, drift, cost',
  async handle({ backend, param }) {
    const board = await backend.research.board(param('id'))
    if (!board) throw unknownSession(param('id'))
    return sendJson(board)
  },
}

const followResearch: ServerRoute = {
  method: 'get',
  path: '/v1/research/{id}/events',
  scope: 'read',
  gives: 'text/event-stream',
  summary:
    'Lines of the ledger as they are written, without samples; `Last-Event-ID` or `after` says from where',
  query: { after: 'Number of the last line that the client has; 0 for all' },
  handle: (call) =>
    streamRecords(call, (id, after) => call.backend.research.records(id, after), unknownSession),
}

const controlResearch: ServerRoute = {
  method: 'post',
  path: '/v1/research/{id}/{wish}',
  scope: 'act',
  gives: 'application/json',
  summary: 'Pause the loop of an experiment session before its next candidate, resume it, or stop it',
  async handle({ backend, param }) {
    const wish = (['pause', 'go', 'stop'] as const).find((one) => one === param('wish'))
    if (!wish) throw new ProblemError(404, 'unknown command', 'use pause, go or stop')
    const outcome = await backend.research.control(param('id'), wish)
    if (!outcome) throw unknownSession(param('id'))
    return sendJson({ outcome })
  },
}

const unknownSession = (id: string) => new ProblemError(404, `experiment session not found: ${id}`)

export const researchRoutes: readonly ServerRoute[] = [
  listResearch,
  startResearch,
  showResearch,
  followResearch,
  controlResearch,
]
