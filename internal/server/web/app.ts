// The whole page: its frame, and the view that the address names.
import { h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { askServer, ServerProblem } from './connection/ask-server.ts'
import { TokenForm } from './connection/token-form.ts'
import { PageLink } from './page-link.ts'
import { type PageRoute, parseRoute } from './page-route.ts'
import type { PageScopes } from './page-scopes.ts'
import { PermissionsPage } from './permissions/permissions-page.ts'
import { ResearchPage } from './research/research-page.ts'
import { RunPage } from './run/run-page.ts'
import { RunsPage } from './runs/runs-page.ts'
import { StudyPage } from './study/study-page.ts'
import { UsagePage } from './usage/usage-page.ts'

export function PageApp({ problem }: { problem: string | undefined }) {
  const [route, setRoute] = useState(parseRoute(location.pathname))
  const [scopes, setScopes] = useState<PageScopes | 'refused' | undefined>(undefined)
  useEffect(() => {
    const follow = () => {
      setRoute(parseRoute(location.pathname))
      document.querySelector('main')?.focus()
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const readAccess = () =>
    void askServer<{ scopes: PageScopes }>('/v1/access').then(
      (access) => setScopes(access.scopes),
      (error) => setScopes(error instanceof ServerProblem && error.status === 0 ? [] : 'refused'),
    )
  useEffect(readAccess, [])
  const main =
    scopes === 'refused'
      ? h(TokenForm, { problem, done: readAccess })
      : scopes === undefined
        ? h('p', { class: 'quiet' }, 'Asking the server…')
        : drawRoute(route, scopes)
  return [
    h('a', { class: 'skip', href: '#content' }, 'To the content'),
    h(
      'header',
      { class: 'bar' },
      h(PageLink, { href: '/', class: 'brand' }, 'Anode'),
      h(
        'nav',
        { 'aria-label': 'Views' },
        h(PageLink, { href: '/', current: route.kind === 'runs' }, 'Runs'),
        h(PageLink, { href: '/permissions', current: route.kind === 'permissions' }, 'Permissions'),
        h(PageLink, { href: '/usage', current: route.kind === 'usage' }, 'Usage'),
      ),
    ),
    h('main', { class: 'frame', id: 'content', tabIndex: -1 }, main),
  ]
}

function drawRoute(route: PageRoute, scopes: PageScopes) {
  switch (route.kind) {
    case 'runs':
      return h(RunsPage, { scopes })
    case 'run':
      return h(RunPage, { key: route.thread, thread: route.thread, scopes })
    case 'study':
      return h(StudyPage, { key: route.id, id: route.id })
    case 'research':
      return h(ResearchPage, { key: route.id, id: route.id })
    case 'permissions':
      return h(PermissionsPage, null)
    case 'usage':
      return h(UsagePage, null)
    default:
      return h('p', null, 'There is nothing here. ', h(PageLink, { href: '/' }, 'All runs'))
  }
}
