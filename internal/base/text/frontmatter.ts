// The YAML head of a Markdown file, between two lines of three dashes.
import { UserError } from '../errors.ts'

interface FrontmatterParts {
  fields: Record<string, unknown>
  /** Text after the head, without surrounding blank lines. */
  body: string
}

/**
 * Returns head and body without parsing the head; undefined if the text does not begin with `---` or the head
 * does not end.
 */
export function splitFrontmatter(text: string): { head: string; body: string } | undefined {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (lines[0]?.trimEnd() !== '---') return undefined
  const end = lines.findIndex((line, i) => i > 0 && line.trimEnd() === '---')
  if (end < 0) return undefined
  return {
    head: lines.slice(1, end).join('\n'),
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  }
}

/**
 * Matches keys whose values are sentences. Published files often omit the quotes that YAML
 * requires around them.
 */
const textKeys = /^(description|about|title|summary|when_to_use|when-to-use|argument-hint):[ \t]+(.*)$/

/**
 * Returns the head with quotes around each value of a key of `textKeys` that YAML would not read as one
 * scalar, such as `description: Use when: asked` and `description: [beta] Tests @home`. Continuation lines
 * join their sentence.
 */
function quoteTexts(head: string, isText: (line: string) => boolean): string {
  const lines = head.split('\n')
  const quoted: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const [, key, first = ''] = textKeys.exec(lines[i] as string) ?? []
    if (key === undefined || /^[|>]/.test(first)) {
      quoted.push(lines[i] as string)
      continue
    }
    let end = i + 1
    while (end < lines.length && /^[ \t]+\S/.test(lines[end] as string)) end++
    const source = lines.slice(i, end)
    const sentence = [first, ...source.slice(1)].map((line) => line.trim()).join(' ')
    // the head keeps its number of lines, so that errors report the right line
    const blank = Array.from({ length: end - i - 1 }, () => '')
    const isPlain = isText(source.join('\n'))
    quoted.push(...(isPlain ? source : [`${key}: ${JSON.stringify(sentence)}`, ...blank]))
    i = end - 1
  }
  return quoted.join('\n')
}

/**
 * Returns true if YAML reads one `key: value` entry as a scalar. Returns false for an anchor, an alias or a
 * tag, and for an entry that is not valid.
 */
function isTextInYaml(entry: string, parse: (text: string, options: object) => unknown): boolean {
  // an anchor, an alias or a tag would be removed from the sentence
  if (/^[^:]+:[ \t]+[&*!]/.test(entry)) return false
  try {
    const value = Object.values(parse(entry, { logLevel: 'error' }) as object)[0]
    return typeof value !== 'object' || value === null
  } catch {
    return false
  }
}

/**
 * Resolves to head and body of a file. Rejects with UserError for a missing head, for a head without `key:
 * value` lines, and for invalid YAML, with its line if known.
 */
export async function readFrontmatter(text: string): Promise<FrontmatterParts> {
  const parts = splitFrontmatter(text)
  if (!parts) {
    throw new UserError('the file has no frontmatter', {
      hint: 'begin it with a line ---, then `key: value` lines, then another line ---',
    })
  }
  const { parse, YAMLParseError } = await import('yaml')
  let fields: unknown
  try {
    fields = parse(
      quoteTexts(parts.head, (line) => isTextInYaml(line, parse)),
      { logLevel: 'error' },
    )
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    // line 1 of the head is line 2 of the file, below the opening dashes
    const line = cause instanceof YAMLParseError ? cause.linePos?.[0].line : undefined
    const what = cause.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '')
    throw new UserError(`the frontmatter is not valid YAML${line ? ` in line ${line + 1}` : ''}: ${what}`, {
      cause,
    })
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new UserError('the frontmatter has no `key: value` lines')
  }
  return { fields: fields as Record<string, unknown>, body: parts.body }
}
