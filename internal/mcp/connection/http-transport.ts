// Transport over streamable HTTP. Only the configured host may be private, and with a server on this machine
// also other names of this machine; other hosts must be public.
import type { OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createStreamingFetch, type StreamingFetch } from '../../net/streaming-fetch.ts'
import type { ServerLaunch } from '../config/server-config.ts'
import { loadMcpClient } from './client-package.ts'
import type { HostReach } from './host-reach.ts'

interface HttpConnection {
  transport: StreamableHTTPClientTransport
  /** Fetch over the same connections, for requests outside the protocol. */
  fetch: StreamingFetch['fetch']
  /** Ends the session on the server, then closes all connections. */
  close(): Promise<void>
}

/** Longest wait in milliseconds for the request that ends a session. */
const farewellMs = 1000

export async function openHttpTransport(
  launch: ServerLaunch & { kind: 'http' },
  authProvider: OAuthClientProvider | undefined,
  reach: HostReach,
): Promise<HttpConnection> {
  const { StreamableHTTPClientTransport } = await loadMcpClient()
  const home = normalizeHost(launch.url.hostname)
  const isPrivate = await reach.isPrivate(home)
  const streams = createStreamingFetch({
    // a host that was public at first stays public: if its name leads to this machine later, it is rejected;
    // the login server of a local server is usually local too
    allow: (host) =>
      isPrivate && (normalizeHost(host) === home || (isLoopback(home) && isLoopback(normalizeHost(host)))),
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
      // A server that does not respond to the session's end within `farewellMs` is disconnected anyway.
      await Promise.race([transport.terminateSession().catch(() => undefined), late])
      await transport.close()
      await streams.close()
    },
  }
}

const normalizeHost = (host: string) => host.replace(/^\[|\]$/g, '').toLowerCase()

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127\./.test(host)
