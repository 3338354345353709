// Questions for relays, programs and servers that answer them, and an approver who never does.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { RuleOffer } from '../../internal/policy/policy.ts'
import type { RelayDocument } from '../../internal/relay/relay-document.ts'
import { readWebhookSecret, signMessage } from '../../internal/relay/webhook-signature.ts'
import type { UserQuestionnaire } from '../../internal/tool/ask.ts'
import type { ApprovalHandler } from '../../internal/tool/ctx.ts'
import { scratchWith } from './scratch.ts'

export const offer: RuleOffer = { rule: { tool: 'bash', action: 'allow', command: 'ls' }, covers: 'ls' }

export const questionnaire: UserQuestionnaire = {
  from: 'the model',
  call: 'call_1',
  questions: [
    {
      ...{ id: 'q1', question: 'Which driver?', reason: 'It is shipped', required: true },
      options: [
        { id: 'pg', label: 'PostgreSQL' },
        { id: 'lite', label: 'SQLite', description: 'one file' },
      ],
      allowFreeform: false,
    },
  ],
}

/** Creates a Node program that has read the whole question as `question`. */
export function relayProgram(body: string): { command: string[]; dir: string } {
  const start =
    "import { readFileSync, writeFileSync } from 'node:fs'\n" +
    "const question = JSON.parse(readFileSync(0, 'utf8'))\n"
  const dir = scratchWith({ 'answer.mjs': start + body })
  return { command: [process.execPath, join(dir, 'answer.mjs')], dir }
}

/** Returns an approver that never answers. When the question is closed, `ended` contains the reason. */
export function silentApprover(): { ask: ApprovalHandler; ended: unknown[] } {
  const ended: unknown[] = []
  const ask: ApprovalHandler = ({ signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        ended.push(signal.reason)
        resolve({ allow: false, why: 'taken back' })
      })
    })
  return { ask, ended }
}

export const relaySecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

type RelayMessage = RelayDocument | { kind: 'poll' | 'settled'; id: string; nonce: string; text?: string }

export interface RelayServer {
  url: URL
  seen: { message: RelayMessage; headers: IncomingMessage['headers']; body: string }[]
}

/** Starts a real server on a free port. `answer` replies to each message. */
export async function serveRelay(
  answer: (message: RelayMessage, response: ServerResponse, nth: number) => void,
): Promise<RelayServer> {
  const seen: RelayServer['seen'] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const message = JSON.parse(body) as RelayMessage
      seen.push({ message, headers: request.headers, body })
      answer(message, response, seen.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/ask`), seen }
}

/** Sends a signed answer. `over` describes its error. */
export function sendSigned(
  response: ServerResponse,
  value: object,
  over: { secret?: string; now?: number; body?: string } = {},
): void {
  const body = JSON.stringify(value)
  const key = readWebhookSecret(over.secret ?? relaySecret)
  response.writeHead(200, signMessage(key, 'answer_1', body, over.now ?? Date.now()))
  response.end(over.body ?? body)
}
