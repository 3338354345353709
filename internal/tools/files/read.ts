// The tool read: returns numbered lines of one text file, or the text of an MCP resource.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import type { Ctx, ResourceMention } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { type FileView, viewFile } from '../../tool-support/file-view.ts'
import { parseMention } from '../../tool-support/mention.ts'
import type { VariantArgs } from '../variants/index.ts'
import about from './read.md'

const line = z.int().check(z.gte(1))

const input = z.object({
  path: field(z.string().check(z.minLength(1)), 'Text file, or @server:uri of an MCP resource'),
  read_range: field(
    z.optional(z.array(line).check(z.minLength(1), z.maxLength(2))),
    '[first, last] or [first]; replaces start_line and end_line',
    { offer: 'never' },
  ),
  start_line: field(z._default(line, 1), 'First line to show'),
  end_line: field(z.optional(line), 'Last line to show; default with start_line: the end'),
  max_bytes: field(z._default(line, 2_097_152), 'Most bytes', { offer: 'never' }),
})

type ReadArgs = z.output<typeof input> & VariantArgs<'read'>

export const read = defineTool({
  name: 'read',
  about,
  offer: { mentions: ['look_at'] },
  input,
  example: { path: 'README.md', start_line: 1, end_line: 50 },
  level: 'auto_read',
  // The parameter max_bytes limits the result, and the rest stays in the file, so the complete text
  // is not stored.
  clip: { chars: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY, keep: 'head' },
  // A resource (a document by URI) comes from a server, which may be on another machine, so its permission
  // level is `external_read`.
  access: ({ path }) =>
    mentionIn(path) ? { level: 'external_read' } : { scope: [{ kind: 'path', path, access: 'read' }] },
  async run({ path, ...window }: ReadArgs, ctx): Promise<ToolResult<FileView | ResourceView | null>> {
    const mention = mentionIn(path)
    if (mention) return readMention(mention, window.max_bytes, ctx)
    const { text, data, content, whole } = await viewFile(ctx, path, window)
    // The complete lines are stored only for an agent, whose results have a size limit. A direct call can
    // set max_bytes instead.
    return { text, data, raw: { content }, ...(whole && ctx.agent?.resultRoom !== undefined && { whole }) }
  },
  async evidence(data, text) {
    if (!data || !('path' in data)) return []
    return (await import('../../tool-support/shown-passages.ts')).passagesOfText(data.path, text)
  },
})

/** Returns the resource that the path mentions; undefined for the path of a file, as almost all paths are. */
const mentionIn = (path: string) => (path.startsWith('@') ? parseMention(path) : undefined)

type ResourceView = ResourceMention & { bytes: number; size: number }

async function readMention(
  mention: ResourceMention,
  maxBytes: number,
  ctx: Ctx,
): Promise<ToolResult<ResourceView | null>> {
  if (!ctx.can.resources) {
    const message = 'no server is at hand whose resources could be read'
    throw new FailureError({ code: 'unavailable', message })
  }
  const { text, media } = await ctx.can.resources.read(mention, ctx.signal)
  const whole = Buffer.from(text)
  const bytes = Math.min(whole.length, maxBytes)
  const note = bytes < whole.length ? `\n[${whole.length} bytes, of which max_bytes shows ${bytes}]` : ''
  return {
    text: `${whole.toString('utf8', 0, bytes)}${note}`,
    data: { ...mention, bytes, size: whole.length },
    media: media.length > 0 ? media : undefined,
  }
}
