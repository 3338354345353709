// JSON for standard output, in which characters that could affect a terminal are escaped.

/**
 * Matches characters that JSON.stringify does not escape although they could control a terminal, or are
 * invisible to a reader.
 */
const hidden = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** Returns the value as JSON on one line, or on several with `indent`, and a line feed at the end. */
export function formatJson(value: unknown, indent?: number): string {
  return `${escapeHidden(JSON.stringify(value, null, indent))}\n`
}

/**
 * Returns the JSON text with the characters escaped that `hidden` matches. The value of the
 * JSON is unchanged.
 */
export function escapeHidden(text: string): string {
  return text.replace(hidden, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
