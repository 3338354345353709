// Start of the server's page: it removes the access token or code from its URL, then shows the view that
// the URL names.
import { h, render } from 'preact'
import { PageApp } from './app.ts'
import { askServer } from './connection/ask-server.ts'
import {
  type AddressSecret,
  exchangeSecret,
  readPageKey,
  takeSecretOfAddress,
} from './connection/page-key.ts'
import type { PageScopes } from './page-scopes.ts'

const root = document.getElementById('app')
const secret = takeSecretOfAddress(window)
const problem = secret && (await trySecret(secret))
if (root) {
  root.replaceChildren()
  render(h(PageApp, { problem }), root)
}

/**
 * Exchanges the token or code of the URL for access; resolves with an error message, or undefined. A token is
 * ignored if the page already has all rights, because it could give fewer. A code is always used up; if it is
 * refused, the page shows no error if it already has all rights.
 */
async function trySecret(one: AddressSecret): Promise<string | undefined> {
  if (one.kind === 'token') return (await hasAllRights()) ? undefined : exchangeSecret(one)
  const refusal = await exchangeSecret(one)
  return refusal === undefined || (await hasAllRights()) ? undefined : refusal
}

async function hasAllRights(): Promise<boolean> {
  if (readPageKey() === undefined) return false
  const access = await askServer<{ scopes: PageScopes }>('/v1/access').catch(() => undefined)
  return access?.scopes.includes('approve') ?? false
}
