// The start of a server on a socket, and its service for one client of a session, until the socket closes.
import type { Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { codeOf, FailureError, messageOf } from '../../base/errors.ts'
import type { SessionClient } from '../../session/client.ts'
import type { SessionCommand } from '../../session/commands.ts'
import { readMessages, sendMessage } from './message-lines.ts'
import { type SessionRequest, sessionRequestSchema } from './session-request.ts'

/** Resolves when the server listens. Rejects with the system error if it cannot; later errors are ignored. */
export function startListening(
  server: Server,
  where: { path: string } | { host: string; port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, () => {
      server.off('error', reject)
      server.on('error', () => undefined)
      resolve()
    })
  })
}

/**
 * Serves the client until the socket closes, then detaches the client. An invalid message ends the connection
 * without an error.
 */
export async function serveSession(client: SessionClient, socket: Duplex): Promise<void> {
  const going = new Map<number, AbortController>()
  socket.on('error', () => undefined)
  const { thread, openedAt } = client
  try {
    await sendMessage(socket, { thread, openedAt })
    for await (const message of readMessages(socket)) {
      const { data: request } = sessionRequestSchema.safeParse(message)
      if (!request) break
      if (request.call === 'cancel') going.get(request.id)?.abort()
      else void answerRequest(client, socket, request, going)
    }
  } catch {
    // an invalid line ends the connection
  } finally {
    for (const stop of going.values()) stop.abort()
    socket.destroy()
    await client.detach()
  }
}

async function answerRequest(
  client: SessionClient,
  socket: Duplex,
  request: Exclude<SessionRequest, { call: 'cancel' }>,
  going: Map<number, AbortController>,
): Promise<void> {
  const stop = new AbortController()
  const { id } = request
  going.set(id, stop)
  try {
    const value = await handleRequest(client, socket, request, stop.signal)
    await sendMessage(socket, { id, value })
  } catch (error) {
    await sendMessage(socket, { id, error: describeError(error) })
  } finally {
    going.delete(id)
  }
}

async function handleRequest(
  client: SessionClient,
  socket: Duplex,
  request: Exclude<SessionRequest, { call: 'cancel' }>,
  signal: AbortSignal,
): Promise<unknown> {
  switch (request.call) {
    case 'command':
      // The session itself checks the command.
      return client.sendCommand(request.command as SessionCommand & { id: string })
    case 'history':
      return client.readHistory(request.before, request.limit)
    case 'mentions':
      return client.findMentions(request.query, request.limit, signal)
    case 'blob':
      return client.readBlob(request.hash, request.offset, request.limit)
    case 'events':
    case 'topic': {
      const { after } = request
      const events =
        request.call === 'events'
          ? client.readEvents(after, signal)
          : client.readTopic(request.topic, after, signal)
      for await (const event of events) await sendMessage(socket, { id: request.id, event })
      return null
    }
  }
}

function describeError(error: unknown): { code: string; message: string; hint?: string } {
  if (error instanceof FailureError) {
    const { code, message, hint } = error.failure
    return { code, message, hint }
  }
  return { code: codeOf(error) ?? 'internal', message: messageOf(error) }
}
