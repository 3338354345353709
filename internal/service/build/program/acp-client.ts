// Client for an agent of another program, by the Agent Client Protocol. It stores the reports of the agent
// and answers its requests: for permissions, files and terminals in its worktree.
import {
  type ClientApp,
  client,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type ToolCallUpdate,
} from '@agentclientprotocol/sdk/unstable'
import type { ReportedCall } from '../../../build/entries.ts'
import type { WorktreeTerminals } from './acp-terminals.ts'
import { type ProgramWorktree, readLines, writeText } from './program-worktree.ts'

/** Reports of the program so far: text, cost and calls. */
export interface ProgramNews {
  text: string
  usd: number | undefined
  /** Calls by their id in the protocol. */
  calls: Map<string, ReportedCall>
  /** Number of requests of the program that wait for a reply. */
  waiting: number
}

/** Largest number of stored calls; further ones are dropped. `maxTitle` limits the characters of a title. */
const maxCalls = 200
const maxTitle = 200

type SentCall = Pick<ToolCallUpdate, 'toolCallId' | 'title' | 'kind' | 'status'>

const describeCall = ({ title, kind, status }: SentCall, earlierCall?: ReportedCall): ReportedCall => ({
  title: (title ?? earlierCall?.title ?? '').slice(0, maxTitle),
  kind: kind ?? earlierCall?.kind ?? null,
  status: status ?? earlierCall?.status ?? null,
})

function noteCall({ calls }: ProgramNews, call: SentCall): void {
  const earlierCall = calls.get(call.toolCallId)
  if (earlierCall || calls.size < maxCalls) calls.set(call.toolCallId, describeCall(call, earlierCall))
}

/** Returns the client. It stores in `news` what the program reports: text, cost and calls. */
export function clientApp(
  news: ProgramNews,
  place: ProgramWorktree,
  terminals: WorktreeTerminals,
): ClientApp {
  const app = client({ name: 'anode' })
  app.onNotification('session/update', ({ params: { update } }) => {
    if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
      news.text = `${news.text}${update.content.text}`.slice(-8_000)
    if (update.sessionUpdate === 'usage_update' && update.cost?.currency === 'USD')
      news.usd = update.cost.amount
    if (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update')
      noteCall(news, update)
  })
  const serve = async <T>(work: Promise<T>): Promise<T> => {
    news.waiting++
    return work.finally(() => news.waiting--)
  }
  app.onRequest('session/request_permission', ({ params }) => serve(answerPermission(params, place)))
  app.onRequest('fs/read_text_file', ({ params }) => serve(readLines(place, params)))
  app.onRequest('fs/write_text_file', ({ params }) => serve(writeText(place, params)))
  app.onRequest('terminal/create', ({ params }) => serve(terminals.create(params)))
  app.onRequest('terminal/output', ({ params }) => terminals.find(params.terminalId).read())
  app.onRequest('terminal/wait_for_exit', ({ params }) => serve(terminals.find(params.terminalId).exited))
  app.onRequest('terminal/kill', ({ params }) => serve(terminals.kill(params.terminalId)))
  app.onRequest('terminal/release', ({ params }) => serve(terminals.release(params.terminalId)))
  return app
}

/**
 * Answers a request for permission. Allows one call if the program runs in a sandbox or the user approves the
 * call; otherwise denies it. If the program does not offer that answer, the request is cancelled.
 */
async function answerPermission(
  { options, toolCall }: RequestPermissionRequest,
  { isSandboxed, approve }: ProgramWorktree,
): Promise<RequestPermissionResponse> {
  const isAllowed = isSandboxed || (await approve(describeCall(toolCall)))
  const optionKind = isAllowed ? 'allow_once' : 'reject_once'
  const option = options.find(({ kind }) => kind === optionKind)
  return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } }
}
