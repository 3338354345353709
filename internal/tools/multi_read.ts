// The tool multi_read: numbered lines of up to ten text files in one call.
import * as z from 'zod/mini'
import { type Failure, FailureError } from '../base/errors.ts'
import { judgePath, resolvePath } from '../policy/paths/path-jail.ts'
import type { Ctx } from '../tool/ctx.ts'
import { field } from '../tool/field.ts'
import { failureResult } from '../tool/result.ts'
import { defineTool } from '../tool/tool.ts'
import { type FileView, maxPrefixBytes, parseLineRange, viewFile } from '../tool-support/file-view.ts'
import { isFailure } from '../tool-support/path-location.ts'
import about from './multi_read.md'

const line = () => z.int().check(z.gte(1))

/** What became of one path; `skipped` when the ceiling was reached before it. */
type Entry =
  | ({ status: 'read' } & FileView)
  | { status: 'error'; path: string; error: Failure }
  | { status: 'skipped'; path: string }

export const multiRead = defineTool({
  name: 'multi_read',
  about,
  input: z.object({
    paths: field(
      z.array(z.string().check(z.minLength(1))).check(z.minLength(1), z.maxLength(10)),
      'Files to read, relative to the workspace; at most 10.',
    ),
    read_range: field(
      z.optional(z.array(line()).check(z.minLength(1), z.maxLength(2))),
      'First and last line, counted from 1, of every file.',
      { rare: true },
    ),
    start_line: field(z.optional(line()), 'First line of every file; gives way to read_range.'),
    end_line: field(z.optional(line()), 'Last line of every file; gives way to read_range.'),
    max_bytes: field(z._default(line(), 4_194_304), 'Most bytes of numbered text over all files.', {
      rare: true,
    }),
  }),
  example: { paths: ['package.json', 'tsconfig.json'] },
  level: 'auto_read',
  clip: { chars: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY, keep: 'head' },
  scope: (args, ctx) => {
    const refused = outsideOf(args, ctx)
    const left = args.paths.filter((path) => !refused.has(path))
    // with nothing left to read the call itself is refused
    return (left.length > 0 ? left : args.paths).map((path) => ({ kind: 'path', path, access: 'read' }))
  },
  async run(args, ctx) {
    const { paths, max_bytes, ...window } = args
    const range = parseLineRange({ ...window, max_bytes })
    if (isFailure(range)) return failureResult(range)
    const refused = outsideOf(args, ctx)
    const each = Math.min(maxPrefixBytes, max_bytes)
    const views = await Promise.all(
      paths.map((path) => refused.get(path) ?? viewFile(ctx, path, { ...window, max_bytes: each })),
    )
    const files: Entry[] = []
    const parts: string[] = []
    let room = max_bytes
    for (const [i, path] of paths.entries()) {
      let viewed = views[i] as Awaited<ReturnType<typeof viewFile>>
      const isLast = !isFailure(viewed) && viewed.data.bytes > room && room > 0
      // the file at the ceiling is shown as far as it goes
      if (isLast) viewed = await viewFile(ctx, path, { ...window, max_bytes: room })
      if (isFailure(viewed)) {
        files.push({ status: 'error', path, error: viewed })
        const why = [viewed.message, viewed.hint].filter(Boolean).join('; ')
        parts.push(`${banner(path)}\n[error: ${viewed.code}: ${why}]`)
      } else if (room > 0) {
        files.push({ status: 'read', ...viewed.data })
        parts.push(`${banner(path)}\n${viewed.text}`)
        room = isLast || (viewed.cut && each >= room) ? 0 : room - viewed.data.bytes
      } else {
        files.push({ status: 'skipped', path })
      }
    }
    const skipped = files.filter((file) => file.status === 'skipped').map((file) => name(file.path))
    if (skipped.length > 0) parts.push(`[max_bytes ${max_bytes} is used up; not read: ${skipped.join(', ')}]`)
    const truncated = files.some(
      (file) => file.status === 'skipped' || (file.status === 'read' && file.truncated),
    )
    return { text: parts.join('\n\n'), data: { files, truncated } }
  },
  async evidence(data, text) {
    const { passagesOfFiles } = await import('../tool-support/shown-passages.ts')
    return passagesOfFiles(data?.files ?? [], text, banner)
  },
})

/** By call: its paths that may not be read at all. Once refused, a path stays so, whatever it leads to meanwhile. */
const refusals = new WeakMap<object, Map<string, Failure>>()

function outsideOf(args: { paths: readonly string[] }, ctx?: Ctx): ReadonlyMap<string, Failure> {
  const known = refusals.get(args) ?? new Map<string, Failure>()
  refusals.set(args, known)
  for (const path of ctx ? args.paths : []) {
    const why = refusalOf(path, ctx as Ctx)
    if (why && !known.has(path)) known.set(path, why)
  }
  return known
}

function refusalOf(path: string, ctx: Ctx): Failure | undefined {
  try {
    const { action, code, text } = judgePath(
      resolvePath(ctx.cwd, ctx.policy.roots, path),
      'read',
      ctx.policy.roots,
    )
    return action === 'deny' ? { code: code ?? 'denied', message: text } : undefined
  } catch (error) {
    if (error instanceof FailureError) return error.failure
    throw error
  }
}

const banner = (path: string) => `===== ${name(path)} =====`

/** A name with control characters is shown quoted, so that no name can look like another banner. */
const name = (path: string) => (/\p{Cc}/u.test(path) ? JSON.stringify(path) : path)
