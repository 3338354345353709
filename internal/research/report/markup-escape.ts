// Escapes foreign text for markup.
import { sanitizeText } from '../../render/text/terminal-filter.ts'

const names: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * What a browser would read as markup becomes text, in content and in quoted attributes; no control
 * characters.
 */
export function escapeMarkup(text: string): string {
  return sanitizeText(text, { keepLines: true }).replace(
    /[&<>"']/g,
    (character) => names[character] as string,
  )
}
