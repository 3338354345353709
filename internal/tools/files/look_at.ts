// The tool look_at: shows images, SVG, PDF and office files to a model, with a description.
import { closeSync } from 'node:fs'
import { extname } from 'node:path'
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { openPlain, readPrefix } from '../../base/files/open-file.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { describeOfficeFile } from '../../document/office-description.ts'
import {
  describePdf,
  describePicture,
  describeSvg,
  type MediaDescription,
} from '../../media/media-description.ts'
import { detectMediaKind } from '../../media/media-kind.ts'
import type { ResolvedPath } from '../../policy/paths/path-jail.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { locatePath, mayQuoteFile } from '../../tool-support/path-location.ts'
import type { VariantArgs } from '../variants/index.ts'
import about from './look_at.md'

const name = z.string().check(z.minLength(1))
/** Largest number of bytes that are read of a file. */
const limit = 64 * 1024 * 1024

const input = z.object({
  target: field(z.optional(name), 'Name of a file in the setting lookAt.targets', { offer: 'targets' }),
  path: field(z.optional(name), 'File to show'),
  question: field(z.optional(z.string()), 'What to look for in it'),
})
type LookAtArgs = z.output<typeof input> & VariantArgs<'look_at'>

export const lookAt = defineTool({
  name: 'look_at',
  about,
  input,
  example: { path: 'manual/screenshot.png', question: 'Is the sidebar aligned with the header?' },
  level: 'auto_read',
  access: ({ path }) => ({ scope: path === undefined ? [] : [{ kind: 'path', path, access: 'read' }] }),
  async run({ path, target, question, as_is, base64, pictures }: LookAtArgs, ctx): Promise<ToolResult> {
    if ((path === undefined) === (target === undefined)) {
      throw new FailureError({ code: 'bad_args', message: 'give either path or target, one of them' })
    }
    const place = target === undefined ? locatePath(ctx, path as string, 'read') : locateTarget(ctx, target)
    if (as_is) return giveBytes(place, true)
    const view = await describeFile(place, ctx, { pictures, otherFormats: base64 === true })
    if (view === undefined) return giveBytes(place, false)
    const trimmedQuestion = question?.trim()
    const text = [view.summary, trimmedQuestion ? `Question: ${trimmedQuestion}` : '', view.body]
      .filter(Boolean)
      .join('\n')
    const data = { path: place.shown, target, question: trimmedQuestion || undefined, ...view.data }
    return view.media ? { text, data, media: view.media } : { text, data }
  },
})

/**
 * Returns the file of a target that the setting `lookAt.targets` names. The call contains only the target's
 * name, so its path is judged here. Throws FailureError for an unknown target, a target with a web address,
 * and a file that needs approval.
 */
function locateTarget(ctx: Ctx, target: string): ResolvedPath {
  const { targets } = ctx.settings.lookAt
  const file = Object.hasOwn(targets, target) ? targets[target] : undefined
  if (file === undefined) {
    const targetNames = Object.keys(targets)
    const hint =
      targetNames.length === 0
        ? 'none are configured; use path'
        : suggestNames(target, targetNames) || `known: ${targetNames.join(', ')}`
    throw new FailureError({ code: 'not_found', message: `unknown target ${target}`, hint })
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(file)) {
    const message = `the target ${target} is an address; only files can be looked at`
    throw new FailureError({ code: 'unavailable', message })
  }
  const place = locatePath(ctx, file, 'read')
  if (mayQuoteFile(ctx, place)) return place
  throw new FailureError({
    code: 'sensitive_path',
    message: `the target ${target} leads to ${place.shown}, which needs approval`,
    hint: 'give it as path, so that it can be asked for',
  })
}

interface LookOptions {
  pictures: number | undefined
  /** True if the caller itself shows files of formats other than those of look_at, including text. */
  otherFormats: boolean
}

/**
 * Returns the description of a file; undefined for a file of another format that the caller itself shows.
 * Throws FailureError for a file of another format that it does not show.
 */
async function describeFile(
  { real, shown: displayPath }: ResolvedPath,
  ctx: Ctx,
  { pictures, otherFormats }: LookOptions,
): Promise<MediaDescription | undefined> {
  const opened = openPlain(real, displayPath)
  try {
    const file = { shown: displayPath, size: Number(opened.stat.size), ...(await readPrefix(opened, limit)) }
    switch (detectMediaKind(file.bytes)) {
      case 'picture':
        return await describePicture(file)
      case 'svg':
        return describeSvg(file)
      case 'pdf':
        return describePdf(file, ctx.signal, pictures)
      case 'text': {
        if (otherFormats) return undefined
        const message = `${displayPath} is text, no picture and no PDF`
        throw new FailureError({ code: 'bad_args', message, hint: 'use read' })
      }
      default: {
        const description = await describeOfficeFile(file, ctx.signal)
        // A file of an old office format contains no text that can be shown.
        if (otherFormats && description?.data.format === undefined) return undefined
        if (description) return description
        const message = `${displayPath} is in no format that can be looked at`
        throw new FailureError({ code: 'binary_or_encoding', message })
      }
    }
  } finally {
    closeSync(opened.fd)
  }
}

/** Size of the largest file that is returned as base64 text, in bytes. */
const maxBase64Bytes = 256 * 1024
/** Size of the largest image that is returned unchanged, in bytes. Models refuse larger ones. */
const maxPictureBytes = 5 * 1024 * 1024

/**
 * MIME types of images by extension. Only the file's name decides, because its bytes are not examined here.
 */
const pictureTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
}

async function giveBytes(
  { real, shown: displayPath }: ResolvedPath,
  asPicture: boolean,
): Promise<ToolResult> {
  const mime = pictureTypes[extname(displayPath).slice(1).toLowerCase()]
  if (asPicture && mime === undefined) {
    const message = `${displayPath} has no ending of a picture`
    throw new FailureError({
      code: 'bad_args',
      message,
      hint: `Endings: ${Object.keys(pictureTypes).join(', ')}.`,
    })
  }
  const opened = openPlain(real, displayPath)
  const maxBytes = asPicture ? maxPictureBytes : maxBase64Bytes
  const { bytes, whole } = await readPrefix(opened, maxBytes).finally(() => closeSync(opened.fd))
  if (!whole) {
    const message = `${displayPath} has more than ${maxBytes} bytes`
    throw new FailureError({ code: 'too_large', message })
  }
  const base64 = bytes.toString('base64')
  const data = { path: displayPath, bytes: bytes.length, mime: mime ?? 'application/octet-stream' }
  if (!asPicture) return { text: base64, data, raw: { content: base64 } }
  const text = `${displayPath}: ${data.mime}, ${bytes.length} bytes`
  return { text, data, media: [{ type: 'image', mime: data.mime, base64 }] }
}
