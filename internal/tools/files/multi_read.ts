// The tool multi_read: returns numbered lines of up to ten text files in one call (100 in a variant
// of the tool).
import * as z from 'zod/mini'
import { type Failure, FailureError } from '../../base/errors.ts'
import { judgePath, resolvePath } from '../../policy/paths/path-jail.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field, optionalNumber, wholeNumber } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import {
  bytesWithin,
  type FileView,
  maxPrefixBytes,
  parseLineRange,
  type ShownFile,
  viewFile,
} from '../../tool-support/file-view.ts'
import { passagesOfFiles } from '../../tool-support/shown-passages.ts'
import type { VariantArgs } from '../variants/index.ts'
import about from './multi_read.md'

/** Largest number of paths of a call, and of a call through an adapter that allows many paths. */
const maxPaths = 10
const maxBulk = 100

/** The result for one path. `skipped`: the limit of the call was reached before this path. */
type PathResult =
  | ({ status: 'read' } & FileView)
  | { status: 'error'; path: string; error: Failure }
  | { status: 'skipped'; path: string }

const input = z.object({
  paths: field(
    z.array(z.string().check(z.minLength(1))).check(z.minLength(1), z.maxLength(maxBulk)),
    'Files to show, in this order',
  ),
  read_range: field(
    z.optional(z.array(wholeNumber()).check(z.minLength(1), z.maxLength(2))),
    '[first, last] line of each file; replaces start_line and end_line',
    { offer: 'never' },
  ),
  start_line: field(optionalNumber(), 'First line to show of each file'),
  end_line: field(optionalNumber(), 'Last line to show of each file'),
  max_bytes: field(z._default(wholeNumber(), 4_194_304), 'Most bytes of all files together', {
    offer: 'never',
  }),
})

export const multiRead = defineTool({
  name: 'multi_read',
  about,
  input,
  example: { paths: ['package.json', 'tsconfig.json'] },
  level: 'auto_read',
  clip: { chars: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY, keep: 'head' },
  access: (args, ctx) => {
    const refused = outsideOf(args, ctx)
    const allowedPaths = args.paths.filter((path) => !refused.has(path))
    // If none of the paths may be read, all of them are judged, so that the call itself is refused.
    const judged = allowedPaths.length > 0 ? allowedPaths : args.paths
    return { scope: judged.map((path) => ({ kind: 'path', path, access: 'read' })) }
  },
  async run(args: z.output<typeof input> & VariantArgs<'multi_read'>, ctx) {
    const { paths, bulk, ...window } = args
    const max_bytes = bytesWithin(ctx, args.max_bytes, paths.length * 100)
    if (!bulk && paths.length > maxPaths) {
      const message = `paths must have at most ${maxPaths} items`
      throw new FailureError({ code: 'bad_args', message })
    }
    const head = args.numbers !== false ? formatBanner : plainBanner
    // An impossible range is the failure of the call, not that of each file, so it is checked first.
    parseLineRange({ ...window, max_bytes })
    const refused = outsideOf(args, ctx)
    const each = Math.min(maxPrefixBytes, max_bytes)
    const isRoom = max_bytes < args.max_bytes
    const view = (path: string, maxBytes: number) =>
      viewEntry(refused.get(path) ?? viewFile(ctx, path, { ...window, max_bytes: maxBytes, isRoom }))
    const views = await Promise.all(paths.map((path) => view(path, each)))
    const files: PathResult[] = []
    const parts: string[] = []
    let room = max_bytes
    for (const [i, path] of paths.entries()) {
      let viewed = views[i] as ViewedEntry
      const isLast = viewed.kind === 'shown' && viewed.file.data.bytes > room && room > 0
      // The first file that does not fit is shown as far as the limit of the call allows; the files after
      // it are skipped.
      if (isLast) viewed = await view(path, room)
      if (viewed.kind === 'failed') {
        const { code, message, hint } = viewed.error
        files.push({ status: 'error', path, error: viewed.error })
        parts.push(`${head(path)}\n[error: ${code}: ${[message, hint].filter(Boolean).join('; ')}]`)
      } else if (room > 0) {
        const { data, text, cut: isCut } = viewed.file
        files.push({ status: 'read', ...data })
        parts.push(`${head(path)}\n${text}`)
        room = isLast || (isCut && each >= room) ? 0 : room - data.bytes
      } else {
        files.push({ status: 'skipped', path })
      }
    }
    const skipped = files.filter((file) => file.status === 'skipped').map((file) => formatName(file.path))
    const full = isRoom ? 'no room in this result' : `max_bytes ${max_bytes} is used up`
    if (skipped.length > 0) parts.push(`[${full}; not read: ${skipped.join(', ')}]`)
    const truncated = files.some(
      (file) => file.status === 'skipped' || (file.status === 'read' && file.truncated),
    )
    return { text: parts.join('\n\n'), data: { files, truncated } }
  },
  async evidence(data, text) {
    return passagesOfFiles(data?.files ?? [], text, formatBanner)
  },
})

type ViewedEntry = { kind: 'shown'; file: ShownFile } | { kind: 'failed'; error: Failure }

/** Returns the view of one path, or why it failed. A file that cannot be shown does not end the call. */
async function viewEntry(viewing: Failure | Promise<ShownFile>): Promise<ViewedEntry> {
  if (!(viewing instanceof Promise)) return { kind: 'failed', error: viewing }
  try {
    return { kind: 'shown', file: await viewing }
  } catch (error) {
    if (error instanceof FailureError) return { kind: 'failed', error: error.failure }
    throw error
  }
}

/**
 * Failures of paths that may not be read, by the arguments of the call. A denied path stays denied, even if
 * it leads to another file when the call runs.
 */
const refusals = new WeakMap<object, Map<string, Failure>>()

function outsideOf(args: { paths: readonly string[] }, ctx?: Ctx): ReadonlyMap<string, Failure> {
  const pathRefusals = refusals.get(args) ?? new Map<string, Failure>()
  refusals.set(args, pathRefusals)
  for (const path of ctx ? args.paths : []) {
    const why = refusalOf(path, ctx as Ctx)
    if (why && !pathRefusals.has(path)) pathRefusals.set(path, why)
  }
  return pathRefusals
}

function refusalOf(path: string, ctx: Ctx): Failure | undefined {
  try {
    const { roots } = ctx.policy
    const { action, code, text } = judgePath(resolvePath(ctx.cwd, roots, path), 'read', roots)
    return action === 'deny' ? { code: code ?? 'denied', message: text } : undefined
  } catch (error) {
    if (error instanceof FailureError) return error.failure
    throw error
  }
}

/**
 * Returns the banner above the lines of a file, in the form of the program `head`, for lines without numbers.
 */
const plainBanner = (path: string) => `==> ${formatName(path)} <==`

const formatBanner = (path: string) => `===== ${formatName(path)} =====`

/**
 * Returns a path for a banner. A path with control characters is quoted, so that it cannot
 * imitate another banner.
 */
const formatName = (path: string) => (/\p{Cc}/u.test(path) ? JSON.stringify(path) : path)
