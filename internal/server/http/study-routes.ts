// HTTP routes of studies: state, records, sources of quotes, report.
import type * as z from 'zod/mini'
import { demandWorkspace } from './demand-workspace.ts'
import { streamRecords } from './event-stream.ts'
import { ProblemError } from './problem.ts'
import { studyWishesSchema } from './run-commands.ts'
import { onceById } from './sent-once.ts'
import { type ServerRoute, sendJson, sendStarted } from './server-route.ts'

const listStudies: ServerRoute = {
  method: 'get',
  path: '/v1/studies',
  scope: 'read',
  gives: 'application/json',
  summary: 'Studies, newest first',
  handle: async ({ backend }) => sendJson({ studies: await backend.studies.list() }),
}

const startedStudies = onceById<{ id: string }>()

const startStudy: ServerRoute = {
  method: 'post',
  path: '/v1/studies',
  scope: 'act',
  gives: 'application/json',
  starts: true,
  body: studyWishesSchema,
  summary: 'Start a study of a workspace, as `anode study`',
  async handle({ backend, body, onceKey, scopes }) {
    const wishes = body as z.output<typeof studyWishesSchema>
    await demandWorkspace(wishes.workspace, backend, scopes)
    return sendStarted(
      await startedStudies(onceKey, async () => ({ id: await backend.studies.start(wishes) })),
    )
  },
}

const showStudy: ServerRoute = {
  method: 'get',
  path: '/v1/studies/{id}',
  scope: 'read',
  gives: 'application/json',
  summary: 'State of a study: its tasks with their workers, claims with quotes, sources, budget',
  async handle({ backend, param }) {
    const board = await backend.studies.board(param('id'))
    if (!board) throw unknownStudy(param('id'))
    return sendJson(board)
  },
}

const followStudyEvents: ServerRoute = {
  method: 'get',
  path: '/v1/studies/{id}/events',
  scope: 'read',
  gives: 'text/event-stream',
  summary: 'What happens in a study, as `study watch --json`; `Last-Event-ID` or `after` says from where',
  query: { after: 'Number of the last entry that the client has; 0 for all' },
  handle: (call) => streamRecords(call, (id, after) => call.backend.studies.records(id, after), unknownStudy),
}

const showEvidence: ServerRoute = {
  method: 'get',
  path: '/v1/studies/{id}/evidence/{evidence}',
  scope: 'read',
  gives: 'application/json',
  summary: 'What a worker has read at one place: the lines as they were, with their numbers',
  async handle({ backend, param }) {
    const evidence = await backend.studies.evidence(param('id'), param('evidence'))
    if (!evidence) throw new ProblemError(404, `evidence not found: ${param('evidence')}`)
    return sendJson(evidence)
  },
}

const readReport: ServerRoute = {
  method: 'get',
  path: '/v1/studies/{id}/report',
  scope: 'read',
  gives: 'text/markdown',
  summary: 'The report of a study',
  async handle({ backend, param }) {
    const report = await backend.studies.report(param('id'))
    if (report === undefined) throw unknownStudy(param('id'))
    return new Response(report, { headers: { 'content-type': 'text/markdown; charset=utf-8' } })
  },
}

const cancelStudy: ServerRoute = {
  method: 'post',
  path: '/v1/studies/{id}/cancel',
  scope: 'act',
  gives: 'application/json',
  summary: 'Cancel a study; `anode study resume` continues it',
  query: { force: '`true`: its workers end at once, not after their step' },
  async handle({ backend, param, query }) {
    const outcome = await backend.studies.cancel(param('id'), query.get('force') === 'true')
    if (!outcome) throw unknownStudy(param('id'))
    return sendJson({ outcome })
  },
}

const stopWorker: ServerRoute = {
  method: 'post',
  path: '/v1/studies/{id}/tasks/{task}/stop',
  scope: 'act',
  gives: 'application/json',
  summary: 'End the worker that a task has; another one takes the task up where it was',
  async handle({ backend, param }) {
    const outcome = await backend.studies.stopWorker(param('id'), param('task'))
    if (!outcome) throw unknownStudy(param('id'))
    return sendJson({ outcome })
  },
}

const unknownStudy = (id: string) => new ProblemError(404, `study not found: ${id}`)

export const studyRoutes: readonly ServerRoute[] = [
  ...[
    listStudies,
    startStudy,
    showStudy,
    followStudyEvents,
    showEvidence,
    readReport,
    cancelStudy,
    stopWorker,
  ],
]
