// Messages to and from a server over streamable HTTP; the configured host may be this machine, others must be
// public.
import type { OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { StreamingFetch } from '../../net/streaming-fetch.ts'
import type { ServerLaunch } from '../config/server-config.ts'
import type { HostReach } from './host-reach.ts'

interface Web {
  transport: StreamableHTTPClientTransport
  /** The same connections, for requests beside the protocol's. */
  fetch: StreamingFetch['fetch']
  /** Tells the server that the session is over, then ends all connections. */
  close(): Promise<void>
}

/** How long a server may take to hear that we leave. */
const farewellMs = 1000

export async function openHttpTransport(
  launch: ServerLaunch & { kind: 'http' },
  authProvider: OAuthClientProvider | undefined,
  reach: HostReach,
): Promise<Web> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const { createStreamingFetch } = await import('../../net/streaming-fetch.ts')
  const home = bare(launch.url.hostname)
  const isPrivate = await reach.isPrivate(home)
  const streams = createStreamingFetch({
    // what was public at first stays so: a name that comes to lead to this machine later is refused; a login
    // server of a local server is usually a local one, too
    allow: (host) => isPrivate && (bare(host) === home || (isLoopback(home) && isLoopback(bare(host)))),
  })
  const transport = new StreamableHTTPClientTransport(launch.url, {
    fetch: streams.fetch,
    requestInit: { headers: launch.headers },
    authProvider,
  })
  return {
    transport,
    fetch: streams.fetch,
    async close() {
      const late = new Promise((resolve) => setTimeout(resolve, farewellMs).unref())
      // who does not answer is left without a farewell
      await Promise.race([transport.terminateSession().catch(() => undefined), late])
      await transport.close()
      await streams.close()
    },
  }
}

const bare = (host: string) => host.replace(/^\[|\]$/g, '').toLowerCase()

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127\./.test(host)
