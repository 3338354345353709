// A model server that sends numbered words, so that each can be searched on a screen.
import { createServer } from 'node:http'
import { listenNear } from './near-provider.ts'
import type { ScreenWorld } from './screen-program.ts'

/**
 * Starts a server of the user's configuration that sends `count` words, in paragraphs of `each`, `atOnce` of
 * them every `ms`.
 */
export const serveWords = (
  world: Pick<ScreenWorld, 'put'>,
  count: number,
  { atOnce = 1, ms = 10, each = 12 } = {},
) =>
  servePieces(
    world,
    Array.from({ length: count }, (_, i) => `word${i}${i % each === each - 1 ? '.\n\n' : ' '}`),
    { atOnce, ms },
  )

/** Starts a server of the user's configuration that sends these texts, `atOnce` of them every `ms`. */
export async function servePieces(
  world: Pick<ScreenWorld, 'put'>,
  pieces: readonly string[],
  { atOnce = 1, ms = 10 } = {},
) {
  const sleepMs = (time: number) => new Promise((resolve) => setTimeout(resolve, time))
  const server = createServer(async (request, reply) => {
    request.resume()
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (choice: object) =>
      reply.write(`data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, ...choice }] })}\n\n`)
    for (let i = 0; i < pieces.length; i += atOnce) {
      send({ delta: { content: pieces.slice(i, i + atOnce).join('') }, finish_reason: null })
      await sleepMs(ms)
    }
    send({ delta: {}, finish_reason: 'stop' })
    reply.end('data: [DONE]\n\n')
  })
  return listenNear(world, server)
}
