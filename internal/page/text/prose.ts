// Text of a run as elements: text nodes and links, never raw markup.
import { type ComponentChildren, h } from 'preact'
import { revealText, splitLinks } from './shown-text.ts'

export function ProseText({ text }: { text: string }) {
  return h('div', { class: 'prose' }, h(ProseParts, { text }))
}

/** Renders text and links within a line. */
export function ProseParts({ text }: { text: string }) {
  return splitLinks(revealText(text)).map((part) =>
    part.kind === 'text' ? part.text : h(WebLink, { href: part.href }, part.text),
  )
}

/** Renders a link that leaves the page without a referrer. */
export function WebLink({ href, children }: { href: string; children?: ComponentChildren }) {
  const rel = 'noopener noreferrer nofollow'
  return h('a', { href, target: '_blank', rel, referrerpolicy: 'no-referrer', title: href }, children)
}
