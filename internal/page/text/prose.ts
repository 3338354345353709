// Components that show text of a run. They create text nodes and links, never raw markup.
import { type ComponentChildren, h } from 'preact'
import { revealText, splitLinks } from './shown-text.ts'

export function ProseText({ text }: { text: string }) {
  return h('div', { class: 'prose' }, h(ProseParts, { text }))
}

/** Renders a text within a line, in which web URLs become links. */
export function ProseParts({ text }: { text: string }) {
  return splitLinks(revealText(text)).map((part) =>
    part.kind === 'text' ? part.text : h(WebLink, { href: part.href }, part.text),
  )
}

/** Renders a link to another site. The browser does not tell that site the URL of this page. */
export function WebLink({ href, children }: { href: string; children?: ComponentChildren }) {
  const rel = 'noopener noreferrer nofollow'
  return h('a', { href, target: '_blank', rel, referrerpolicy: 'no-referrer', title: href }, children)
}
