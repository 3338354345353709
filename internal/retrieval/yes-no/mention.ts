// Distinction of texts that state a word from texts that only contain it, for example in a URL or in a test
// that expects a refusal.
import type { TermPlace } from '../term-scanner.ts'

/** Matches a URL with a scheme, and a host with a common top-level domain, such as `example.com/path`. */
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

/**
 * Matches texts that deny something. Outside of tests, a denial answers a question, so it weighs more than
 * a passing mention.
 */
const denial = new RegExp(
  String.raw`\b(?:unsupported|refus\w*|reject\w*|cannot|disallow\w*|no support|` +
    String.raw`not (?:implemented|available)|(?:not|n['’]t|no longer|never) (?:\w+ ){0,2}` +
    String.raw`(?:support|handle|implement|allow|accept)\w*)\b|` +
    'Unsupported[a-z]+',
  'iu',
)
const denialShare = 1.5

/** Largest distance in characters between a refusal and the word that it refuses. */
const nearChars = 160

/** Factor for a word in a URL. A URL says where something is, and only indirectly what a program does. */
const addressShare = 0.5

/**
 * Returns whether a text contains a word such as `not`, `only` or `error`, which may mean a refusal, a denial
 * or a failure.
 */
export const isRefusal = (text: string): boolean => refusal.test(text)

/**
 * Returns a factor for each place of a word that says how plainly the text states the word: 0.5 in a URL,
 * else 1. Near a denial of support it is 1.5. In a weak file, such as a test, it is instead 0 near a refusal,
 * which proves nothing there. The places must be in text order.
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
