// Text of others as it may be shown: nothing in it is markup, what cannot be seen is written out.
import { escapeInvisible } from '../../base/text/invisible-chars.ts'

/** Line ends and tabs stay; other controls, and what turns the direction of text, are revealed. */
export const revealText = (text: string): string =>
  escapeInvisible(text, { chars: 'controls', lineFeed: '\n', tab: '\t' })

type TextPart = { kind: 'text'; text: string } | { kind: 'link'; text: string; href: string }

const addresses = /https?:\/\/[^\s<>"'`\\]+/g

/** Addresses of the web as links that show where they lead; everything else stays text. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(addresses)) {
    const address = match[0].replace(/[.,;:!?)\]}]+$/, '')
    if (!URL.canParse(address)) continue
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    parts.push({ kind: 'link', text: address, href: new URL(address).href })
    end = match.index + address.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}

/** The whole address where it is one of the web; anything else may do what no link should. */
export function webAddress(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href
}
