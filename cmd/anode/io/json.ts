// JSON for standard output: the same value wherever it is read, and nothing in it that steers a terminal.

/** Characters that JSON.stringify leaves as they are and a terminal or a reader must not get. */
const hidden = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/** One line, or several with `indent`; a line feed at the end. */
export function formatJson(value: unknown, indent?: number): string {
  return `${escapeHidden(JSON.stringify(value, null, indent))}\n`
}

/** JSON text with those characters written as escapes: the same value. */
export function escapeHidden(text: string): string {
  return text.replace(hidden, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
