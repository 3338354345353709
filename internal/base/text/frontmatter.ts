// The YAML head of a Markdown file, between two lines of three dashes.
import { UserError } from '../errors.ts'

interface Front {
  fields: Record<string, unknown>
  /** What follows the head, without surrounding blank lines. */
  body: string
}

/**
 * Cuts head and body apart without looking into the head; undefined when the text does not begin with `---`.
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

/** Head and body of a file; a UserError says what is wrong with the head and on which line. */
export async function readFrontmatter(text: string): Promise<Front> {
  const parts = splitFrontmatter(text)
  if (!parts) {
    throw new UserError('the file has no frontmatter', {
      hint: 'begin it with a line ---, then `key: value` lines, then another line ---',
    })
  }
  const { parse, YAMLParseError } = await import('yaml')
  let fields: unknown
  try {
    fields = parse(parts.head, { logLevel: 'error' })
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    // the first line stands below the opening dashes
    const line = cause instanceof YAMLParseError ? cause.linePos?.[0].line : undefined
    const what = cause.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '')
    throw new UserError(`the frontmatter is not valid YAML${line ? ` in line ${line + 1}` : ''}: ${what}`, {
      cause,
    })
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new UserError('the frontmatter holds no `key: value` lines')
  }
  return { fields: fields as Record<string, unknown>, body: parts.body }
}
