// Inline Markdown as page elements. Only web URLs become links.

import type { Token, Tokens } from 'marked'
import { type ComponentChildren, h } from 'preact'
import { decodeHtmlEntities } from '../../base/text/html-entities.ts'
import { CitedText } from './citation.ts'
import { ProseParts, WebLink } from './prose.ts'
import { revealText, webAddress } from './shown-text.ts'

/** HTML elements for Markdown marks that need no attributes. */
const marks: Readonly<Record<string, string>> = { strong: 'strong', em: 'em', del: 'del' }

/** Nesting depth above which inline Markdown is shown as its source text. */
const maxDepth = 24

interface InlinePlace {
  /** True if the text is within a link, because links must not be nested. */
  isLinked: boolean
  depth: number
}

export function drawInline(
  tokens: readonly Token[] = [],
  { isLinked, depth }: InlinePlace = { isLinked: false, depth: 0 },
): ComponentChildren[] {
  if (depth > maxDepth) return tokens.map(({ raw }) => revealHtmlText(raw))
  const within = { isLinked, depth: depth + 1 }
  return tokens.map((token): ComponentChildren => {
    const mark = marks[token.type]
    if (mark !== undefined) return h(mark, null, drawInline((token as Tokens.Strong).tokens, within))
    switch (token.type) {
      case 'codespan':
        return h('code', null, revealText(token.text))
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
        return drawText(token.raw, isLinked)
    }
  })
}

const drawText = (text: string, isLinked: boolean) =>
  isLinked
    ? revealHtmlText(text)
    : h(CitedText, { text: decodeHtmlEntities(text), draw: (part) => h(ProseParts, { text: part }) })

const revealHtmlText = (text: string) => revealText(decodeHtmlEntities(text))

/**
 * Renders a link. If its target is a file, only its text is shown; any other target outside the web is shown
 * as source text.
 */
function drawLink({ href, raw, tokens }: Tokens.Link, within: InlinePlace): ComponentChildren {
  const address = webAddress(decodeHtmlEntities(href))
  if (address !== undefined)
    return h(WebLink, { href: address }, drawInline(tokens, { ...within, isLinked: true }))
  // The target is the path of a file, which the page must not open, so only the text of the link is shown.
  return /^file:|^[\w./-]*$/.test(href) ? drawInline(tokens, within) : revealHtmlText(raw)
}

/**
 * Renders an image of the web as a link with the image's text, and any other image as source text. The image
 * is never loaded, because loading it would inform its server about the reader.
 */
function drawImage({ href, raw, text }: Tokens.Image): ComponentChildren {
  const address = webAddress(decodeHtmlEntities(href))
  if (address === undefined) return revealHtmlText(raw)
  return h(WebLink, { href: address }, `picture: ${revealHtmlText(text) || address}`)
}
