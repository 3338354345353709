// Link to another view of the page. It changes the URL without loading the page again.
import { type ComponentChildren, h } from 'preact'

type LinkProps = { href: string; current?: boolean; class?: string; children?: ComponentChildren }

export function PageLink({ href, current = false, class: name, children }: LinkProps) {
  const go = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    goToPage(href)
  }
  return h('a', { href, class: name, onClick: go, 'aria-current': current ? 'page' : undefined }, children)
}

export function goToPage(href: string): void {
  history.pushState(null, '', href)
  dispatchEvent(new PopStateEvent('popstate'))
}
