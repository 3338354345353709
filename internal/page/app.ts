// The whole page: its frame, the notice about runs that wait for an answer, and the view of the URL.
import { type ComponentChildren, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { FoundThread } from '../server/backend.ts'
import type { RunSummary } from '../server/run-summary.ts'
import { BuildPage } from './build/build-page.ts'
import { askServer, ServerProblem } from './connection/ask-server.ts'
import { TokenForm } from './connection/token-form.ts'
import { usePolled } from './connection/use-polled.ts'
import { PageLink } from './page-link.ts'
import { type PageRoute, parseRoute } from './page-route.ts'
import type { PageScopes } from './page-scopes.ts'
import { PermissionsPage } from './permissions/permissions-page.ts'
import { ResearchPage } from './research/research-page.ts'
import { RunPage } from './run/run-page.ts'
import { type ListedRun, mergeConversations } from './runs/listed-run.ts'
import { RunsPage } from './runs/runs-page.ts'
import { readPermission, WaitingNotice } from './runs/waiting-notice.ts'
import { StudyPage } from './study/study-page.ts'
import { UsagePage } from './usage/usage-page.ts'

const listMs = 2_000
const otherMs = 5_000
/** Milliseconds between two reads of the conversations, which change less often than runs. */
const threadsMs = 5_000

export function PageApp({ problem }: { problem: string | undefined }) {
  const route = useRoute()
  const [scopes, setScopes] = useState<PageScopes | 'refused' | undefined>(undefined)
  const readAccess = () =>
    void askServer<{ scopes: PageScopes }>('/v1/access').then(
      (access) => setScopes(access.scopes),
      (error) => setScopes(error instanceof ServerProblem && error.status === 0 ? [] : 'refused'),
    )
  useEffect(readAccess, [])
  if (scopes === 'refused') return h(PageFrame, { route }, h(TokenForm, { problem, done: readAccess }))
  if (scopes === undefined) return h(PageFrame, { route }, h('p', { class: 'quiet' }, 'Asking the server…'))
  return h(OpenPage, { route, scopes })
}

/**
 * Renders the page of a logged-in user. It polls the runs and conversations in every view, because some of
 * them may wait for the user.
 */
function OpenPage({ route, scopes }: { route: PageRoute; scopes: PageScopes }) {
  const pauseMs = route.kind === 'runs' ? listMs : otherMs
  const isAwaited = readPermission() === 'granted'
  const listed = usePolled<{ runs: RunSummary[] }>('/v1/runs', pauseMs, isAwaited)
  const { value: stored } = usePolled<{ threads: FoundThread[] }>('/v1/threads', threadsMs, isAwaited)
  const runs = listed.value && stored && mergeConversations(listed.value.runs, stored.threads)
  const shownThread = route.kind === 'run' ? route.thread : undefined
  const notice = h(WaitingNotice, { runs: runs ?? [], shown: shownThread })
  return h(PageFrame, { route, notice }, drawRoute(route, scopes, { runs, problem: listed.problem }))
}

function useRoute(): PageRoute {
  const [route, setRoute] = useState(parseRoute(location.pathname))
  useEffect(() => {
    const follow = () => {
      setRoute(parseRoute(location.pathname))
      scrollTo({ top: 0 })
      document.querySelector('main')?.focus({ preventScroll: true })
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  return route
}

interface FrameProps {
  route: PageRoute
  notice?: ComponentChildren
  children?: ComponentChildren
}

function PageFrame({ route: { kind }, notice, children }: FrameProps) {
  const isList = ['runs', 'run', 'study', 'research', 'build'].includes(kind)
  return [
    h('a', { class: 'skip', href: '#content' }, 'To the content'),
    h(
      'header',
      { class: 'bar' },
      h(PageLink, { href: '/', class: 'brand' }, 'Anode'),
      h(
        'nav',
        { 'aria-label': 'Views' },
        h(PageLink, { href: '/', current: isList }, 'Runs'),
        h(PageLink, { href: '/permissions', current: kind === 'permissions' }, 'Permissions'),
        h(PageLink, { href: '/usage', current: kind === 'usage' }, 'Usage'),
      ),
      notice,
    ),
    h('main', { class: 'frame', id: 'content', tabIndex: -1 }, children),
  ]
}

interface RunList {
  /** All runs and the latest conversations; undefined until the server has sent both lists. */
  runs: readonly ListedRun[] | undefined
  problem: string | undefined
}

function drawRoute(route: PageRoute, scopes: PageScopes, list: RunList) {
  switch (route.kind) {
    case 'runs':
      return h(RunsPage, { scopes, ...list })
    case 'run':
      return h(RunPage, {
        key: route.thread,
        thread: route.thread,
        scopes,
        isBroken: isBroken(route.thread, list),
      })
    case 'study':
      return h(StudyPage, { key: route.id, id: route.id, scopes })
    case 'research':
      return h(ResearchPage, { key: route.id, id: route.id, scopes })
    case 'build':
      return h(BuildPage, { key: route.id, id: route.id, scopes })
    case 'permissions':
      return h(PermissionsPage, list)
    case 'usage':
      return h(UsagePage, null)
    default:
      return h('p', null, 'There is nothing here. ', h(PageLink, { href: '/' }, 'All runs'))
  }
}

const isBroken = (thread: string, { runs }: RunList) =>
  runs?.some((run) => run.thread === thread && run.kind === 'run' && run.state === 'broken') ?? false
