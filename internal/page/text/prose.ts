// Components that show text of a run. They create text nodes and links, never raw markup.
import { type ComponentChildren, Fragment, h } from 'preact'
import type { InlineRun } from '../../render/markdown/inline-run.ts'
import { parseRstInline } from '../../render/markdown/rst-inline.ts'
import { revealText, splitLinks, webAddress } from './shown-text.ts'

export function ProseText({ text }: { text: string }) {
  return h('div', { class: 'prose' }, h(ProseParts, { text }))
}

/** Renders a quote of a reStructuredText file with its inline markup. */
export function RstText({ text }: { text: string }) {
  return h('div', { class: 'prose' }, parseRstInline(revealText(text), 'rst').map(drawRun))
}

function drawRun({ text, isBold, isItalic, isCode, link }: InlineRun): ComponentChildren {
  const element = isCode ? 'code' : isBold ? 'strong' : isItalic ? 'em' : Fragment
  const href = link && webAddress(link.href)
  const shown = h(element, null, text)
  return href === undefined ? shown : h(WebLink, { href }, shown)
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
