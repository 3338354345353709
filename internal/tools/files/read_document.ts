// The tool read_document: returns the text of documents, the images of PDF files, and the properties
// of sound files.
import { closeSync } from 'node:fs'
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { openPlain, readPrefix } from '../../base/files/open-file.ts'
import { parseDocument } from '../../document/document.ts'
import { type DocumentKind, describeUnreadKind, documentKindOf } from '../../document/document-kind.ts'
import { layOutDocument } from '../../document/document-lines.ts'
import type { DocumentText } from '../../document/document-text.ts'
import { extractPictures } from '../../media/pdf-pictures.ts'
import { readSoundHeader, type SoundHeader } from '../../media/sound-header.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import { type ToolResult, withNotes } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { locateExisting } from '../../tool-support/path-location.ts'
import about from './read_document.md'

const maxBytes = 64 << 20

const input = z.object({
  path: field(z.string().check(z.minLength(1)), 'Document to read'),
  only: field(z.optional(z.enum(['pdf'])), 'Accept only this kind of file'),
  max_chars: field(z._default(z.int().check(z.gte(1)), 16_384), 'Characters of text to return'),
  max_images: field(z._default(z.int().check(z.gte(0)), 20), 'Images to list', { cap: 100 }),
  timeout_ms: field(z._default(z.int().check(z.gte(1)), 300_000), 'Milliseconds until it is stopped', {
    cap: 600_000,
  }),
})
type ReadDocumentArgs = z.output<typeof input>
type TextResult = ToolResult<Record<string, unknown>>

export const readDocumentTool = defineTool({
  name: 'read_document',
  about,
  offer: { optional: true },
  alone: true,
  level: 'auto_read',
  input,
  example: { path: 'paper.pdf' },
  // The parameter max_chars limits the result, so the tool sets no other limit.
  clip: { chars: Number.POSITIVE_INFINITY, lines: Number.POSITIVE_INFINITY, keep: 'head' },
  access: ({ path }) => ({ scope: [{ kind: 'path', path, access: 'read' }] }),
  async run(args, ctx): Promise<ToolResult> {
    const { real, shown: displayPath } = locateExisting(ctx, args.path)
    const opened = openPlain(real, displayPath)
    try {
      const file = await readPrefix(opened, maxBytes)
      const size = Number(opened.stat.size)
      const kind = file.bytes.subarray(0, 1_024).includes('%PDF-') ? 'pdf' : documentKindOf(displayPath)
      const sound = args.only || kind ? undefined : readSoundHeader(file.bytes, size)
      if (sound) return describeSound(displayPath, size, sound)
      if (!kind || (args.only && kind !== args.only))
        throw createRefusal(displayPath, whyUnread(displayPath, args))
      if (!file.whole) throw createRefusal(displayPath, `it is larger than ${maxBytes >> 20} MiB`)
      const began = performance.now()
      const text = await readText(displayPath, file.bytes, kind, args, ctx)
      const remainingMs = args.timeout_ms - (performance.now() - began)
      return kind === 'pdf' ? await withPictures(text, file.bytes, args, remainingMs, ctx) : text
    } finally {
      closeSync(opened.fd)
    }
  },
})

/**
 * Adds the paths of the extracted images of a PDF file below its text: at most `max_images`, and only those
 * that are extracted within `ms` milliseconds.
 */
async function withPictures(
  text: TextResult,
  bytes: Buffer,
  { max_images: max }: ReadDocumentArgs,
  ms: number,
  { env, signal }: Ctx,
): Promise<ToolResult> {
  const { paths, truncated, note } = await extractPictures(bytes, { max, ms, signal, env })
  const more = [...(truncated ? ['[there are more pictures]'] : []), ...(note ? [`[${note}]`] : [])]
  const pictures = {
    image_count: paths.length,
    image_paths: paths,
    image_paths_truncated: truncated,
    image_note: note || undefined,
  }
  return {
    ...text,
    text: withNotes(text.text, [...paths.map((path) => `picture: ${path}`), ...more]),
    data: { ...text.data, ...pictures },
  }
}

const whyUnread = (displayPath: string, { only }: ReadDocumentArgs) =>
  only ? 'it is not a PDF' : (describeUnreadKind(displayPath) ?? 'its format is not supported')

function createRefusal(displayPath: string, why: string): FailureError {
  const hint = 'Text files are for `read`, pictures for `look_at`.'
  return new FailureError({ code: 'binary_or_encoding', message: `${displayPath}: ${why}`, hint })
}

function describeSound(path: string, size: number, { format, seconds }: SoundHeader): ToolResult {
  const length = seconds === undefined ? '' : `, ${seconds} s`
  const content = `${format} sound, ${size} bytes${length}`
  return {
    text: `${path}: ${content}`,
    data: { path, kind: 'sound', format, size, seconds },
    raw: { content },
  }
}

async function readText(
  path: string,
  bytes: Buffer,
  kind: DocumentKind,
  args: ReadDocumentArgs,
  ctx: Ctx,
): Promise<TextResult> {
  const limits = { bytes: maxBytes, ms: args.timeout_ms, memory: maxMemoryBytes }
  const read = await parseDocument(bytes, kind, { signal: ctx.signal, limits })
  const isScan = kind === 'pdf' && 'skipped' in read && /^no text\b/.test(read.skipped)
  if ('skipped' in read && !isScan) throw createRefusal(path, read.skipped)
  const document = 'skipped' in read ? undefined : read
  const { lines } = layOutDocument(document?.blocks ?? [])
  const whole = lines.join('\n')
  const content = whole.slice(0, args.max_chars)
  const cutNote = 'skipped' in read ? read.skipped : read.cut
  const notes = [
    ...(content.length < whole.length ? [`the first ${content.length} of ${whole.length} characters`] : []),
    ...(cutNote === undefined ? [] : [cutNote]),
    ...(document?.notes ?? []),
  ]
  const named = document?.notes ? `${path}: ` : ''
  const data = {
    path,
    kind,
    ...factsOf(document),
    total_lines: lines.length,
    total_chars: whole.length,
    truncated: content.length < whole.length || cutNote !== undefined,
    cut: cutNote,
    notes: document?.notes,
  }
  return {
    text: withNotes(content, [notes.length > 0 ? `[${named}${notes.join('; ')}]` : '']),
    data,
    raw: { content },
  }
}

/** Largest growth of this process's memory during the reading of a document, in bytes. */
const maxMemoryBytes = 140 << 20

function factsOf(document: DocumentText | undefined) {
  const { title, date } = document ?? {}
  return { title, date }
}
