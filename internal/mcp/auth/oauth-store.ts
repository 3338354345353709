// OAuth state of one server: client, tokens and discovery, in a file that only its owner can read.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { FailureError } from '../../base/errors.ts'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { readSmall } from '../../base/files/open-file.ts'
import type { McpServer } from '../config/server-config.ts'

interface StoredOauth {
  client?: StoredOAuthClientInformation
  tokens?: StoredOAuthTokens
  discovery?: OAuthDiscoveryState
  verifier?: string
  /** Redirect URL of the registered client. */
  redirect?: string
  /** Scopes that the server requested when it last rejected a request for lack of a login. */
  wanted?: string
}

interface AuthFile {
  read(): StoredOauth
  change(part: { [K in keyof StoredOauth]?: StoredOauth[K] | undefined }): Promise<void>
  remove(): void
}

/**
 * Opens the file of a server; a missing or damaged file is empty. It is read again each time, because another
 * process may have refreshed the tokens.
 */
export function authFile(dataDir: string, key: string): AuthFile {
  const dir = join(dataDir, 'mcp', 'auth')
  const path = join(dir, `${key}.json`)
  const read = (): StoredOauth => {
    const text = readSmall(path)
    try {
      return text === undefined ? {} : (JSON.parse(text) as StoredOauth)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return {}
    }
  }
  return {
    read,
    async change(part) {
      makeDirectory(dir, 0o700)
      await writeAtomic(path, Buffer.from(`${JSON.stringify({ ...read(), ...part })}\n`), { mode: 0o600 })
    },
    remove: () => rmSync(path, { force: true }),
  }
}

/**
 * Login in progress: its redirect URL, its `state`, and the function that shows the login URL to the user.
 */
interface PendingLogin {
  redirect: string
  state: string
  open(url: URL): void | Promise<void>
}

/**
 * Creates a provider for the client library. `visit` is a login in progress; without it, a login that is
 * needed rejects with FailureError `unavailable`.
 */
export function createOauthProvider(
  server: McpServer,
  file: AuthFile,
  visit?: PendingLogin,
): OAuthClientProvider {
  const oauth = server.launch.kind === 'http' ? server.launch.oauth : {}
  const redirectUrl = visit?.redirect ?? file.read().redirect ?? 'http://127.0.0.1/callback'
  const { clientId, clientSecret, clientMetadataUrl } = oauth
  const scope = () => oauth.scope ?? file.read().wanted
  return {
    redirectUrl,
    clientMetadataUrl,
    get clientMetadata() {
      const currentScope = scope()
      return {
        client_name: 'Anode',
        redirect_uris: [redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        scope: currentScope,
      }
    },
    state: () => visit?.state ?? randomBytes(16).toString('hex'),
    clientInformation: () =>
      clientId === undefined ? file.read().client : { client_id: clientId, client_secret: clientSecret },
    saveClientInformation: (client) => file.change({ client, redirect: redirectUrl }),
    tokens: () => file.read().tokens,
    saveTokens: (tokens) => file.change({ tokens }),
    async redirectToAuthorization(url) {
      if (visit) return visit.open(url)
      const wantedScope = url.searchParams.get('scope')
      if (wantedScope !== null) await file.change({ wanted: wantedScope })
      throw new FailureError(needsLogin(server.name))
    },
    saveCodeVerifier: (verifier) => file.change({ verifier }),
    codeVerifier: () => file.read().verifier ?? '',
    saveDiscoveryState: (discovery) => file.change({ discovery }),
    discoveryState: () => file.read().discovery,
    async invalidateCredentials(scope) {
      const remainingParts: StoredOauth = { ...file.read() }
      for (const part of scope === 'all' ? (['client', 'tokens', 'verifier', 'discovery'] as const) : [scope])
        delete remainingParts[part]
      file.remove()
      await file.change(remainingParts)
    },
  }
}

export const needsLogin = (name: string) =>
  ({
    code: 'unavailable',
    message: `the MCP server ${name} wants a login`,
    hint: `run \`anode mcp login ${name}\``,
  }) as const
