// Foreign text inside of markup.
import { clean } from '../../render/clean.ts'

const names: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** What a browser would read as markup becomes text, in content and in quoted attributes; no control characters. */
export function entities(text: string): string {
  return clean(text, { keepLines: true }).replace(/[&<>"']/g, (character) => names[character] as string)
}
