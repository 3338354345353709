// The page of the server: takes the token out of its address, then draws what the address names.
import { h, render } from 'preact'
import { PageApp } from './app.ts'
import { exchangeToken, takeTokenOfAddress } from './connection/page-key.ts'

const root = document.getElementById('app')
const token = takeTokenOfAddress(window)
const problem = token === undefined ? undefined : await exchangeToken(token)
if (root) {
  root.replaceChildren()
  render(h(PageApp, { problem }), root)
}
