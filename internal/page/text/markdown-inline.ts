// Inline Markdown as page elements; links only for web URLs.

import type { Token, Tokens } from 'marked'
import { type ComponentChildren, h } from 'preact'
import { decodeHtmlEntities } from '../../base/text/html-entities.ts'
import { CitedText } from './citation.ts'
import { ProseParts, WebLink } from './prose.ts'
import { revealText, webAddress } from './shown-text.ts'

/** HTML elements for Markdown marks that need no attributes. */
const marks: Readonly<Record<string, string>> = { strong: 'strong', em: 'em', del: 'del' }

/** Nesting depth above which Markdown is shown as source. */
const maxDepth = 24

interface InlinePlace {
  /** Whether the text is within a link, because links do not nest. */
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
  isLinked
    ? shown(text)
    : h(CitedText, { text: decodeHtmlEntities(text), draw: (part) => h(ProseParts, { text: part }) })

const shown = (text: string) => revealText(decodeHtmlEntities(text))

/** Renders a link. A link to a file is shown as its text, another link outside of the web as source. */
function drawLink({ href, raw, tokens }: Tokens.Link, within: InlinePlace): ComponentChildren {
  const address = webAddress(href)
  if (address !== undefined)
    return h(WebLink, { href: address }, drawInline(tokens, { ...within, isLinked: true }))
  // a file path: the page may not open it, and the link text alone is enough
  return /^file:|^[\w./-]*$/.test(href) ? drawInline(tokens, within) : shown(raw)
}

/**
 * Renders an image as text and link; it is never loaded, because that would tell its server about the reader.
 */
function drawImage({ href, raw, text }: Tokens.Image): ComponentChildren {
  const address = webAddress(href)
  if (address === undefined) return shown(raw)
  return h(WebLink, { href: address }, `picture: ${shown(text) || address}`)
}
