// Reader of lines for tools whose calls do not name the files. It reads only files that the tool `read` could
// show without approval.
import { closeSync } from 'node:fs'
import { FailureError } from '../base/errors.ts'
import { openPlain, readPrefix } from '../base/files/open-file.ts'
import { decodeAnyText } from '../base/text/detect-encoding.ts'
import { contentKind } from '../base/text/text-encoding.ts'
import { resolveFacts } from '../policy/call-facts.ts'
import { decide } from '../policy/decide.ts'
import { resolvePath } from '../policy/paths/path-jail.ts'
import type { Ctx } from '../tool/ctx.ts'

/**
 * Largest number of files that one reader opens, and the largest size in bytes of such a file. For other
 * files only the position is returned.
 */
const lineReaderLimits = { files: 500, bytes: 2 * 2 ** 20 }

interface LineReader {
  /**
   * Returns the lines of a file without line ends. Undefined if the file may not be shown, cannot be read, is
   * not text, is too large, or is not among the first 500 that were requested.
   */
  lines(path: string): Promise<readonly string[] | undefined>
  /**
   * Returns the line at index `at` (from 0), trimmed and truncated to 200 characters; undefined without one.
   */
  line(path: string, at: number): Promise<string | undefined>
}

const maxLineChars = 200

export function openLineReader(ctx: Ctx): LineReader {
  const linesByFile = new Map<string, Promise<readonly string[] | undefined>>()
  const lines = (path: string) => {
    const there = linesByFile.get(path)
    if (there || linesByFile.size >= lineReaderLimits.files) return there ?? Promise.resolve(undefined)
    const read = readLines(path, ctx)
    linesByFile.set(path, read)
    return read
  }
  return {
    lines,
    async line(path, at) {
      const text = (await lines(path))?.[at]?.trim()
      return text !== undefined && text.length > maxLineChars ? `${text.slice(0, maxLineChars)}…` : text
    },
  }
}

/** Returns true if the tool `read` could show the file without approval. */
export async function mayShowFile(path: string, ctx: Ctx): Promise<boolean> {
  const call = {
    ...({ tool: 'read', level: 'auto_read', args: { path } } as const),
    scope: [{ kind: 'path', path, access: 'read' }] as const,
  }
  return decide(await resolveFacts(call, ctx.policy, ctx.cwd), ctx.policy).action === 'allow'
}

async function readLines(path: string, ctx: Ctx): Promise<readonly string[] | undefined> {
  if (!path.startsWith('/')) return undefined
  try {
    if (!(await mayShowFile(path, ctx))) return undefined
    const opened = openPlain(resolvePath(ctx.cwd, ctx.policy.roots, path).real)
    const { bytes, whole } = await readPrefix(opened, lineReaderLimits.bytes).finally(() =>
      closeSync(opened.fd),
    )
    const kind = contentKind(bytes)
    if (!whole || kind === 'image' || kind === 'pdf') return undefined
    return (await decodeAnyText(bytes))?.text.split(/\r?\n/)
  } catch (error) {
    if (error instanceof FailureError) return undefined
    throw error
  }
}
