// The contract of a session, wherever it runs: in this process, behind a socket, behind the server.
import { createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, onTestFinished } from 'vitest'
import { connectSession } from '../../../internal/server/wire/remote-session.ts'
import { serveSession } from '../../../internal/server/wire/session-listener.ts'
import type { SessionClient } from '../../../internal/session/client.ts'
import { program } from '../../support/anode.ts'
import { startServer } from '../../support/http-server.ts'
import { lookOverHttp } from '../../support/http-session.ts'
import { scratch } from '../../support/scratch.ts'
import type { SessionWorld, WatchedClient } from '../../support/session.ts'
import { type JoinSession, lookingContract, sessionContract } from './contract.ts'

const attachHere: JoinSession<SessionClient> = async ({ service }, own) => {
  const client = service.attach(own.client.thread)
  if (!client) throw new Error('the session is not open')
  return client
}

async function attachBySocket(at: SessionWorld, own: WatchedClient): Promise<SessionClient> {
  const path = join(scratch(), 'run.sock')
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    void attachHere(at, own).then((client) => serveSession(client, socket))
  }).listen(path)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return connectSession(path)
}

describe('in this process', () => {
  sessionContract(attachHere)
  lookingContract(attachHere)
})

describe('over a socket', () => {
  sessionContract(attachBySocket)
  lookingContract(attachBySocket)
})

describe('over HTTP', () => {
  lookingContract(async ({ data }, { client }) => {
    const env = { PATH: process.env.PATH, HOME: dirname(data), ANODE_DATA_DIR: data }
    const { port, token } = await startServer({ place: { env, program } })
    return lookOverHttp({ address: () => `http://127.0.0.1:${port}`, token }, client.thread)
  })
})
