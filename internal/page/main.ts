// The page of the server: takes the token out of its address, then draws what the address names.
import { h, render } from 'preact'
import { PageApp } from './app.ts'
import { askServer } from './connection/ask-server.ts'
import { exchangeToken, readPageKey, takeTokenOfAddress } from './connection/page-key.ts'
import type { PageScopes } from './page-scopes.ts'

const root = document.getElementById('app')
const token = takeTokenOfAddress(window)
const problem = token === undefined || (await mayAnswer()) ? undefined : await exchangeToken(token)
if (root) {
  root.replaceChildren()
  render(h(PageApp, { problem }), root)
}

/** Whether the page may do all already: an address that only looks takes nothing from it. */
async function mayAnswer(): Promise<boolean> {
  if (readPageKey() === undefined) return false
  const access = await askServer<{ scopes: PageScopes }>('/v1/access').catch(() => undefined)
  return access?.scopes.includes('approve') ?? false
}
