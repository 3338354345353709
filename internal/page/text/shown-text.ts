// Text from models, tools and users, prepared for display: no markup, and visible escapes
// for invisible characters.
import { escapeInvisible } from '../../base/text/invisible-chars.ts'

/**
 * Returns the text with visible escapes for control characters, invisible characters and characters that
 * change the text direction. Line ends and tabs stay.
 */
export const revealText = (text: string): string =>
  escapeInvisible(text, { chars: 'controls', lineFeed: '\n', tab: '\t' })

type TextPart = { kind: 'text'; text: string } | { kind: 'link'; text: string; href: string }

const addresses = /https?:\/\/[^\s<>"'`\\]+/g

/** Splits a text into web URLs as links, and other text. */
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

/**
 * Returns the complete URL if the text is a web URL. Returns undefined otherwise, because other URLs could be
 * harmful as links.
 */
export function webAddress(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href
}
