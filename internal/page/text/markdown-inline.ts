// Marks within a block of Markdown as elements; addresses only where they lead to the web.

import type { Token, Tokens } from 'marked'
import { type ComponentChildren, h } from 'preact'
import { decodeHtmlEntities } from '../../base/text/html-entities.ts'
import { ProseParts, WebLink } from './prose.ts'
import { revealText, webAddress } from './shown-text.ts'

/** Elements that hold nothing but what stands in them. */
const marks: Readonly<Record<string, string>> = { strong: 'strong', em: 'em', del: 'del' }

/** Marks that stand deeper in each other are shown as they were written. */
const maxDepth = 24

interface InlinePlace {
  /** There is no link within another one. */
  isLinked: boolean
  depth: number
}

export function drawInline(
  tokens: readonly Token[] = [],
  { isLinked, depth }: InlinePlace = { isLinked: false, depth: 0 },
): ComponentChildren[] {
  if (depth > maxDepth) return tokens.map(({ raw }) => shown(raw))
  const within = { isLinked, depth: depth + 1 }
  return tokens.map((token): ComponentChildren => {
    const mark = marks[token.type]
    if (mark !== undefined) return h(mark, null, drawInline((token as Tokens.Strong).tokens, within))
    switch (token.type) {
      case 'codespan':
        return h('code', null, shown(token.text))
      case 'br':
        return h('br', null)
      case 'link':
        return drawLink(token as Tokens.Link, within)
      case 'image':
        return drawImage(token as Tokens.Image)
      case 'checkbox':
        return token.checked ? '☑ ' : '☐ '
      case 'escape':
      case 'html':
        return revealText(token.text)
      default:
        if ('tokens' in token && token.tokens) return drawInline(token.tokens, within)
        return drawText('text' in token ? String(token.text) : token.raw, isLinked)
    }
  })
}

const drawText = (text: string, isLinked: boolean) =>
  isLinked ? shown(text) : h(ProseParts, { text: decodeHtmlEntities(text) })

const shown = (text: string) => revealText(decodeHtmlEntities(text))

/** What leads nowhere on the web stays as it was written. */
function drawLink({ href, raw, tokens }: Tokens.Link, within: InlinePlace): ComponentChildren {
  const address = webAddress(href)
  if (address !== undefined)
    return h(WebLink, { href: address }, drawInline(tokens, { ...within, isLinked: true }))
  // a place in a file: no page may open it, and its name says all
  return /^file:|^[\w./-]*$/.test(href) ? drawInline(tokens, within) : shown(raw)
}

/** Never fetched: it would tell others that somebody looks. */
function drawImage({ href, raw, text }: Tokens.Image): ComponentChildren {
  const address = webAddress(href)
  if (address === undefined) return shown(raw)
  return h(WebLink, { href: address }, `picture: ${shown(text) || address}`)
}
