// The server of a scratch data directory in this process, and a client that may send false headers.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { openWorkspaceTrust } from '../../internal/runtime/workspace/workspace-trust.ts'
import type { RunWishes } from '../../internal/server/backend.ts'
import { listRuns, type RunPlace } from '../../internal/service/runs/run-access.ts'
import { readRunRecord } from '../../internal/service/runs/run-record.ts'
import { runServer } from '../../internal/service/server/server-service.ts'
import { program } from './anode.ts'
import { scratchWith } from './scratch.ts'

export interface HttpReply {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
  json: Record<string, unknown>
}

interface Ask {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: unknown
  /** Null: none. */
  token?: string | null
}

export interface ServedData {
  cwd: string
  data: string
  place: RunPlace
  /** Returns the body of a request that starts a run with the scripted responses. */
  wishes(task: string): RunWishes
}

/** Creates a workspace, a data directory and scripted responses. Remaining runs end with the test. */
export function servedData(replies: readonly object[]): ServedData {
  const cwd = scratchWith({ 'a.txt': 'one\n' })
  const home = scratchWith({})
  const file = join(home, 'replies.jsonl')
  writeFileSync(file, replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  // a client may not set a model that is a file, so the configuration of the user does
  const config = join(home, '.config', 'anode')
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, 'config.json'), JSON.stringify({ model: `script:${file}` }))
  const data = join(home, 'data')
  const place = { env: { PATH: process.env.PATH, HOME: home, ANODE_DATA_DIR: data }, program }
  onTestFinished(async () => {
    for (const { thread, state } of await listRuns(place.env)) {
      const record = readRunRecord(data, thread)
      if (record && state !== 'ended' && state !== 'broken') process.kill(record.pid, 'SIGKILL')
    }
  })
  return {
    cwd,
    data,
    place,
    wishes: (task) => ({ task, workspace: cwd, mode: 'ask' }),
  }
}

/** Lets tokens of the scope `act` use the workspace by trusting it. */
export const trustServed = ({ cwd, place }: ServedData): Promise<void> =>
  openWorkspaceTrust(cwd, place.env).grant(undefined)

export interface ServerAccess {
  port: number
  token: string
  ask(path: string, with_?: Ask): Promise<HttpReply>
  stop(): Promise<void>
}

/** Starts a server on `wanted`, the port of an earlier server; default: a free port. */
export async function startServer(at: Pick<ServedData, 'place'>, wanted = 0): Promise<ServerAccess> {
  const stop = new AbortController()
  let ended: Promise<void> | undefined
  const where = await new Promise<{ address: string | undefined; tokenFile: string }>((resolve, reject) => {
    ended = runServer({ place: at.place, port: wanted, signal: stop.signal, ready: resolve })
    ended.catch(reject)
  })
  const finish = async () => {
    stop.abort()
    await ended
  }
  onTestFinished(finish)
  const port = Number(new URL(where.address ?? '').port)
  const token = readFileSync(where.tokenFile, 'utf8').trim()
  return { port, token, stop: finish, ask: (path, with_ = {}) => ask(port, path, { token, ...with_ }) }
}

/**
 * Runs `work` while the clock of this process is stopped, because a slow machine would not make that many
 * requests in one second.
 */
export async function withinOneSecond<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    return await work()
  } finally {
    vi.useRealTimers()
  }
}

export function ask(
  port: number,
  path: string,
  { method, headers = {}, body, token }: Ask,
): Promise<HttpReply> {
  const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const sent = {
    ...(content !== undefined && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const verb = method ?? (content === undefined ? 'GET' : 'POST')
    const going = request(
      { host: '127.0.0.1', port, path, method: verb, headers: sent, agent: false },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8')
        reply.on('data', (chunk) => {
          text += chunk
        })
        reply.on('error', reject)
        reply.on('end', () => {
          const isJson = String(reply.headers['content-type']).includes('json')
          const json = isJson ? (JSON.parse(text) as Record<string, unknown>) : {}
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text, json })
        })
      },
    )
    going.on('error', reject)
    going.end(content)
  })
}

export interface StreamedEvent {
  pos: number | undefined
  type: string
}

/** Reads the events of a run until `isEnough`, or until the connection is lost. */
export function readStream(
  { port, token }: Pick<ServerAccess, 'port' | 'token'>,
  thread: string,
  after: number,
  isEnough: (events: readonly StreamedEvent[]) => boolean,
): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = []
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, 'last-event-id': String(after) }
    const done = () => {
      going.destroy()
      resolve(events)
    }
    const going = request(
      { host: '127.0.0.1', port, path: `/v1/runs/${thread}/events`, headers, agent: false },
      (reply) => {
        let rest = ''
        reply.setEncoding('utf8')
        reply.on('data', (chunk) => {
          const parts = (rest + chunk).split('\n\n')
          rest = parts.pop() ?? ''
          for (const part of parts) {
            const [, id] = /^id: (\d+)$/m.exec(part) ?? []
            const [, data = '{}'] = /^data: (.*)$/m.exec(part) ?? []
            const { type = '' } = JSON.parse(data) as { type?: string }
            if (type !== '') events.push({ pos: id === undefined ? undefined : Number(id), type })
          }
          if (isEnough(events)) done()
        })
        reply.on('close', done)
      },
    )
    going.on('error', done)
    going.end()
  })
}
