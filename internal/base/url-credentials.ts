// Secrets in URLs, in which users write percent signs and slashes without encoding them.
import { hideSecrets } from './secrets.ts'

const mark = '[secret]'

/** Decodes a percent-encoded text. Returns it unchanged if one of its percent signs encodes no character. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Encodes user name and password of the URL again, because Node and ioredis throw an error without a hint for
 * a percent sign that encodes no character.
 */
export function encodeCredentials(url: URL): void {
  url.username = encodeURIComponent(decodePercent(url.username))
  url.password = encodeURIComponent(decodePercent(url.password))
}

/**
 * Returns a URL for messages, with `[secret]` in place of user name and password, query and fragment, and in
 * place of a port that is not a number. The URL may be invalid, and its password may contain any character.
 * The path stays, without texts in the form of a secret. An @ in a path counts as the end of a password, so
 * the host before it is hidden, too.
 */
export function hideUrlSecrets(text: string): string {
  const [scheme] = /^(?:[^:/?#@]*:\/+)?/.exec(text) ?? ['']
  const afterScheme = text.slice(scheme.length)
  const at = afterScheme.lastIndexOf('@')
  // The last @ may belong to a query, and then the text after it may be a part of a secret.
  if (/[?#]/.test(afterScheme.slice(0, Math.max(at, 0)))) return scheme + mark
  const target = afterScheme.slice(at + 1)
  const [shown] = /^(?:\[[\da-f:.]*\]|[^:/?#[]*)(?::\d*(?![^/?#]))?(?:\/[^?#]*)?/i.exec(target) ?? ['']
  const sign = /^[:?#]?/.exec(target.slice(shown.length))?.[0] ?? ''
  const rest = shown === target ? '' : sign + mark
  return `${scheme}${at < 0 ? '' : `${mark}@`}${hideSecrets(shown, mark)}${rest}`
}
