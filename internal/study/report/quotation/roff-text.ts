// The text of a manual page in roff, without its requests and font marks.

const fontRequest = /^\.\s*(?:B|I|SM|SB|BR|RB|BI|IB|IR|RI)\s+(.*)$/

/**
 * Returns the lines of a manual page as readable lines: titles after `#`, the entries of a list after `-`,
 * and an empty line for other requests.
 */
export function readRoff(lines: readonly string[]): string[] {
  const out: string[] = []
  let isTag = false
  for (const line of lines) {
    const title = /^\.\s*S[HS]\s+(.*)$/.exec(line)
    const font = fontRequest.exec(line)
    const isRequest = /^[.']/.test(line) && !font
    if (title) out.push('', `# ${cleanRoff(argumentsOf(title[1] ?? '').join(' '))}`, '')
    else if (/^\.\s*(?:TP|IP)\b/.test(line)) isTag = true
    else if (isRequest) out.push('')
    else {
      const isJoined = /^\.\s*[BIR]{2}\s/.test(line)
      const text = cleanRoff(font ? argumentsOf(font[1] ?? '').join(isJoined ? '' : ' ') : line)
      if (isTag) out.push('', `- ${text}:`)
      else out.push(text)
      isTag = false
    }
    const tag = /^\.\s*IP\s+(.*)$/.exec(line)?.[1]
    if (tag === undefined) continue
    isTag = false
    out.push('', `- ${cleanRoff(argumentsOf(tag)[0] ?? '')}:`)
  }
  return out
}

const argumentsOf = (text: string): string[] =>
  [...text.matchAll(/"((?:[^"]|"")*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')

const signs: Readonly<Record<string, string>> = {
  aq: "'",
  dq: '"',
  en: '–',
  em: '—',
  bu: '•',
  co: '©',
  hy: '-',
}

/** Returns text without font marks, and with the characters that escapes mean. */
const cleanRoff = (text: string): string =>
  text
    .replace(/\\".*$/, '')
    .replace(/\\f(?:\[\w*\]|\(\w\w|\w)/g, '')
    .replace(/\\\((\w\w)|\\\[(\w\w)\]/g, (_, a?: string, b?: string) => signs[a ?? b ?? ''] ?? '')
    .replace(/\\[&/,|^]/g, '')
    .replace(/\\([- ])/g, '$1')
    .replace(/\\[e\\]/g, '\\')
