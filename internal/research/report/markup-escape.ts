// Escaping of text of other authors for HTML and SVG.
import { escapeHtml } from '../../base/text/html-escape.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'

/**
 * Escapes text for the content and the quoted attributes of markup, and removes control characters
 * except line breaks.
 */
export const escapeMarkup = (text: string): string => escapeHtml(sanitizeText(text, { keepLines: true }))
