// Escapes foreign text for markup.
import { escapeHtml } from '../../base/text/html-escape.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'

/**
 * What a browser would read as markup becomes text, in content and in quoted attributes; no control
 * characters.
 */
export const escapeMarkup = (text: string): string => escapeHtml(sanitizeText(text, { keepLines: true }))
