// HTTP routes for parts of a run: the events of its subagents, studies and experiments, and complete texts
// that its events shorten.
import { type SessionTopic, sessionTopicSchema } from '../../session/topics.ts'
import { followTopic, readPosition, streamEvents } from './event-stream.ts'
import { ProblemError } from './problem.ts'
import { type RouteCall, type ServerRoute, sendJson } from './server-route.ts'

const followTopicEvents: ServerRoute = {
  method: 'get',
  path: '/v1/runs/{thread}/topics/{kind}',
  scope: 'read',
  gives: 'text/event-stream',
  summary:
    'Other events of a run, until an event `end`. `child`: the events of a subagent, ' +
    'stored ones once and in order, from `Last-Event-ID` or `after` on. `study`, `experiment`: ' +
    'the complete board of its workspace after each change',
  query: {
    thread: 'Of `child`: its thread',
    study: 'Of `study`: its whole id; the newest without it',
    since: 'Of `study`: only one that was begun then (milliseconds since 1970) or later',
    after: 'Of `child`: position of the last event that the client has; 0 for all',
  },
  async handle(call) {
    const { backend, param } = call
    const topic = readTopicWish(call)
    const after = readPosition(call)
    const read = await backend.runs.findTopic(param('thread'), topic)
    if (!read) throw new ProblemError(404, `run not found: ${param('thread')}`)
    return streamEvents(call, (signal) => followTopic(read, after, signal))
  },
}

/**
 * Returns the topic that a request names. Throws ProblemError 404 for an unknown kind of topic, and 400 for
 * arguments that do not fit the kind.
 */
function readTopicWish({ param, query }: RouteCall): SessionTopic {
  const kind = param('kind')
  if (!['child', 'study', 'experiment'].includes(kind))
    throw new ProblemError(404, 'unknown kind of topic', 'use child, study or experiment')
  const since = query.get('since')
  const { data } = sessionTopicSchema.safeParse({
    kind,
    thread: query.get('thread') ?? undefined,
    study: query.get('study') ?? undefined,
    since: since === null ? undefined : Number(since),
  })
  if (data) return data
  throw new ProblemError(400, `invalid topic of kind ${kind}`)
}

const readText: ServerRoute = {
  method: 'get',
  path: '/v1/runs/{thread}/blobs/{hash}',
  scope: 'read',
  gives: 'application/json',
  summary:
    'The whole of a text that an event of the run shows cut and names as `whole`, a part at a time, ' +
    'with the number of characters (UTF-16) that it has in all',
  query: {
    offset: 'Characters that are left out; 0 without it',
    limit: 'Characters that are given; at most, and without it, 1048576',
  },
  async handle({ backend, param, query }) {
    const offset = readCount(query, 'offset', 0)
    const limit = readCount(query, 'limit', Number.MAX_SAFE_INTEGER)
    const part = await backend.runs.readText(param('thread'), param('hash'), { offset, limit })
    return sendJson({ offset, ...part })
  },
}

function readCount(query: URLSearchParams, name: string, usual: number): number {
  const count = Number(query.get(name) ?? usual)
  if (!Number.isSafeInteger(count) || count < 0)
    throw new ProblemError(400, `${name} must be a whole number from 0`)
  return count
}

export const topicRoutes: readonly ServerRoute[] = [followTopicEvents, readText]
