// Fetch with streamed responses for servers that a user configured, with the address checks of
// the guarded fetch.

import { Agent, buildConnector, fetch } from 'undici'
import { timeLimit } from '../base/time-limit.ts'
import { createLookup, judgeHost, type ResolveHost, resolveBySystem } from './host-judgement.ts'

interface StreamOptions {
  /**
   * Returns true if a host and port may have any address, such as this machine, because the
   * user configured it.
   */
  allow(host: string, port: string): boolean
  /** Function that looks up the addresses of a host. Default: the resolver of the system. */
  resolve?: ResolveHost
}

export interface StreamingFetch {
  /**
   * Fetches like the web's fetch and checks the address of each connection. It follows redirects unless
   * `init.redirect` says otherwise.
   */
  fetch(url: string | URL, init?: RequestInit): Promise<globalThis.Response>
  /** Closes all connections. */
  close(): Promise<void>
}

/**
 * Creates a fetch that keeps connections until it is closed. Resolving a name and connecting may take 30
 * seconds each; other time limits are set by the caller. Proxy variables of the environment are ignored.
 */
export function createStreamingFetch({ allow, resolve = resolveBySystem }: StreamOptions): StreamingFetch {
  const connect: buildConnector.connector = (options, done) => {
    const { hostname, port, protocol } = options
    const isKnown = allow(hostname.replace(/^\[|\]$/g, ''), port || (protocol === 'https:' ? '443' : '80'))
    judgeHost(hostname, isKnown, resolve, timeLimit(30_000)).then(
      (addresses) => {
        const settings = { lookup: createLookup(addresses), autoSelectFamily: true, timeout: 30_000 }
        buildConnector(settings as buildConnector.BuildOptions)(options, done)
      },
      (error: Error) => done(error, null),
    )
  }
  // The time limits for headers and body are turned off, because the caller sets them. Resolving a name and
  // connecting may take 30 seconds each.
  const dispatcher = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 })
  return {
    fetch: (url, init = {}) =>
      fetch(url, { ...(init as object), dispatcher }) as unknown as Promise<globalThis.Response>,
    close: () => dispatcher.destroy(),
  }
}
