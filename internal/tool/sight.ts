// Lines of files that a tool names without having been asked about them, shown only where `read` would be allowed.
import { closeSync } from 'node:fs'
import { FailureError } from '../base/errors.ts'
import { openPlain, readPrefix } from '../base/open.ts'
import { decode } from '../base/text.ts'
import { decide } from '../policy/decide.ts'
import { resolve } from '../policy/facts.ts'
import { resolvePlace } from '../policy/path.ts'
import type { Ctx } from './ctx.ts'

/** Files looked into per call; of the others only the place is told. */
const most = { files: 500, bytes: 2 * 2 ** 20 }

export interface Sight {
  /** The lines without their ends; undefined for what may not be shown, is no text, or is too large. */
  lines(path: string): Promise<readonly string[] | undefined>
  /** The line, trimmed and clipped. */
  line(path: string, at: number): Promise<string | undefined>
}

const widest = 200

export function sight(ctx: Ctx): Sight {
  const seen = new Map<string, Promise<readonly string[] | undefined>>()
  const lines = (path: string) => {
    const there = seen.get(path)
    if (there || seen.size >= most.files) return there ?? Promise.resolve(undefined)
    const read = readLines(path, ctx)
    seen.set(path, read)
    return read
  }
  return {
    lines,
    async line(path, at) {
      const text = (await lines(path))?.[at]?.trim()
      return text !== undefined && text.length > widest ? `${text.slice(0, widest)}…` : text
    },
  }
}

/** Whether the tool `read` would be allowed to show the file, without asking anybody. */
export async function mayShow(path: string, ctx: Ctx): Promise<boolean> {
  const call = {
    ...({ tool: 'read', level: 'auto_read', args: { path } } as const),
    scope: [{ kind: 'path', path, access: 'read' }] as const,
  }
  return decide(await resolve(call, ctx.policy, ctx.cwd), ctx.policy).action === 'allow'
}

async function readLines(path: string, ctx: Ctx): Promise<readonly string[] | undefined> {
  if (!path.startsWith('/')) return undefined
  try {
    if (!(await mayShow(path, ctx))) return undefined
    const opened = openPlain(resolvePlace(ctx.cwd, ctx.policy.roots, path).real)
    const { bytes, whole } = await readPrefix(opened, most.bytes).finally(() => closeSync(opened.fd))
    const content = whole ? decode(bytes) : undefined
    return content?.kind === 'text' ? content.text.split(/\r?\n/) : undefined
  } catch (error) {
    if (error instanceof FailureError) return undefined
    throw error
  }
}
