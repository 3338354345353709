// Tells where a text states a word from where it only names it: as part of an address, or to refuse it.
import type { TermPlace } from '../term-scanner.ts'

/** A scheme with a host behind it, or a host that needs none. */
const address = new RegExp(
  [
    String.raw`\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'\x60<>()\[\]{},;]+`,
    String.raw`\b(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|io|dev|test|example|invalid|local)\b` +
      String.raw`[^\s"'\x60<>()]*`,
  ].join('|'),
  'gi',
)

const refusal = new RegExp(
  String.raw`\b(?:not|no|never|cannot|without|unsupported|unknown|only|refus\w*|reject\w*|forbid\w*|` +
    String.raw`block(?:s|ed)|disallow\w*|den(?:y|ied|ies)|invalid|illegal|throws?|raises?|tothrow|errors?|` +
    String.raw`fail(?:s|ed|ure)?|nicht|kein\w*|ohne|verweiger\w*|abgelehnt|sans|refusé|aucune?|sin|` +
    String.raw`ningun\w*)\b|n['’]t\b|[a-z](?:Error|Exception)\b`,
  'iu',
)

/** A refusal outside of tests answers the question, so that it is worth more than a word in passing. */
const denial = new RegExp(
  String.raw`\b(?:unsupported|refus\w*|reject\w*|cannot|disallow\w*|no support|` +
    String.raw`not (?:implemented|available)|(?:not|n['’]t|no longer|never) (?:\w+ ){0,2}` +
    String.raw`(?:support|handle|implement|allow|accept)\w*)\b|` +
    'Unsupported[a-z]+',
  'iu',
)
const denialShare = 1.5

/** A refusal this near speaks of the word. */
const nearChars = 160

/** An address says where something is, and at most by that what a program does. */
const addressShare = 0.5

/** Whether a text refuses, denies or reports a failure. */
export const isRefusal = (text: string): boolean => refusal.test(text)

/**
 * How plainly each place states its word: 0 not at all, 1 as a statement does, more where it refuses what the
 * word names. In a weak file, a test or data, a refusal is no sign of anything.
 */
export function weighPlaces(text: string, places: readonly TermPlace[], isWeakFile: boolean): number[] {
  const spans = [...text.matchAll(address)].map(
    ({ index, 0: whole }) => [index, index + whole.length] as const,
  )
  let next = 0
  return places.map(({ at }) => {
    while (next < spans.length && (spans[next] as readonly [number, number])[1] <= at) next++
    const span = spans[next]
    const isAddress = span !== undefined && span[0] <= at
    const near = text.slice(Math.max(0, at - nearChars), at + nearChars)
    if (isWeakFile) return isRefusal(near) ? 0 : isAddress ? addressShare : 1
    return denial.test(near) ? denialShare : isAddress ? addressShare : 1
  })
}
