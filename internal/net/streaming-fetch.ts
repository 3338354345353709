// Fetches whose answers arrive bit by bit, for servers that a person configured: the same judgement as the
// guarded fetch.

import { Agent, buildConnector, fetch } from 'undici'
import { timeLimit } from '../base/time-limit.ts'
import { createLookup, judgeHost, type ResolveHost, resolveBySystem } from './host-judgement.ts'

interface StreamOptions {
  /** Whether a host and port may lie anywhere, this machine included, because a person named it. */
  allow(host: string, port: string): boolean
  /** Absent: the system's resolver. */
  resolve?: ResolveHost
}

export interface StreamingFetch {
  /**
   * The shape of the web's fetch. Redirects are the caller's; each connection is judged, whatever led to it.
   */
  fetch(url: string | URL, init?: RequestInit): Promise<globalThis.Response>
  /** Ends all connections. */
  close(): Promise<void>
}

/** Holds connections until it is closed. Proxy variables of the environment are not looked at. */
export function createStreamingFetch({ allow, resolve = resolveBySystem }: StreamOptions): StreamingFetch {
  const connect: buildConnector.connector = (options, done) => {
    const { hostname, port, protocol } = options
    const known = allow(hostname.replace(/^\[|\]$/g, ''), port || (protocol === 'https:' ? '443' : '80'))
    judgeHost(hostname, known, resolve, timeLimit(30_000)).then(
      (addresses) => {
        const settings = { lookup: createLookup(addresses), autoSelectFamily: true, timeout: 30_000 }
        buildConnector(settings as buildConnector.BuildOptions)(options, done)
      },
      (error: Error) => done(error, null),
    )
  }
  // a server may think for as long as the caller's own limits allow
  const dispatcher = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 })
  return {
    fetch: (url, init = {}) =>
      fetch(url, { ...(init as object), dispatcher }) as unknown as Promise<globalThis.Response>,
    close: () => dispatcher.destroy(),
  }
}
