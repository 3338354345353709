// User names and passwords in URLs, in which users write a percent sign without encoding it.

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
