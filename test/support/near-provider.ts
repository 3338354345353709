// A model server on loopback as the only provider of a user's configuration.
import type { Server } from 'node:http'
import { onTestFinished } from 'vitest'
import { type Received, type ServedReply, serveModel } from './model-server.ts'
import type { ScreenWorld } from './screen-program.ts'

/** Writes the configuration for a server at this URL. Returns the flags that select its model. */
export function configureNear(world: Pick<ScreenWorld, 'put'>, baseUrl: string, model = 'words') {
  const near = { baseUrl, apiKey: 'x', window: 100_000, model }
  world.put('../.config/anode/config.json', JSON.stringify({ providers: { near } }))
  return ['--model', `near/${model}`] as const
}

/** Lets a server listen until the test ends. Returns the flags that select its model. */
export async function listenNear(world: Pick<ScreenWorld, 'put'>, server: Server) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as { port: number }
  return configureNear(world, `http://127.0.0.1:${port}/v1`)
}

/**
 * Starts a scripted server until the test ends. Returns its requests, and the flags that select its model.
 */
export async function serveNear(
  world: Pick<ScreenWorld, 'put'>,
  script: readonly ServedReply[] | ((request: Received, n: number) => ServedReply),
) {
  const server = await serveModel(script)
  onTestFinished(() => server.close())
  return { requests: server.requests, model: configureNear(world, server.url) }
}
