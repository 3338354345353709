// The tool look_at: pictures, SVG and PDF files with what can be said of them.
import { closeSync } from 'node:fs'
import * as z from 'zod/mini'
import { FailureError } from '../base/errors.ts'
import { openPlain, readPrefix } from '../base/files/open-file.ts'
import { suggestNames } from '../base/text/name-suggestion.ts'
import {
  describePdf,
  describePicture,
  describeSvg,
  type MediaDescription,
} from '../media/media-description.ts'
import { detectMediaKind } from '../media/media-kind.ts'
import type { ResolvedPath } from '../policy/paths/path-jail.ts'
import type { Ctx } from '../tool/ctx.ts'
import { field } from '../tool/field.ts'
import type { ToolResult } from '../tool/result.ts'
import { defineTool } from '../tool/tool.ts'
import { locatePath, mayQuoteFile } from '../tool-support/path-location.ts'
import about from './look_at.md'

const name = z.string().check(z.minLength(1))
/** Bytes of a file that are looked at. */
const limit = 64 * 1024 * 1024

const input = z.object({
  target: field(z.optional(name), 'Name of a picture from the setting lookAt.targets.'),
  path: field(z.optional(name), 'The file, relative to the workspace.'),
  question: field(z.optional(z.string()), 'What to look for.'),
})

export const lookAt = defineTool({
  name: 'look_at',
  about,
  input,
  example: { path: 'manual/screenshot.png', question: 'Is the sidebar aligned with the header?' },
  level: 'auto_read',
  scope: ({ path }) => (path === undefined ? [] : [{ kind: 'path', path, access: 'read' }]),
  async run({ path, target, question }, ctx): Promise<ToolResult> {
    if ((path === undefined) === (target === undefined)) {
      throw new FailureError({ code: 'bad_args', message: 'give either path or target, one of them' })
    }
    const place = target === undefined ? locatePath(ctx, path as string, 'read') : locateTarget(ctx, target)
    const view = await look(place, ctx)
    const asked = question?.trim()
    const text = [view.summary, asked ? `Question: ${asked}` : '', view.body].filter(Boolean).join('\n')
    const data = {
      path: place.shown,
      ...(target !== undefined && { target }),
      ...(asked && { question: asked }),
      ...view.data,
    }
    return view.media ? { text, data, media: [view.media] } : { text, data }
  },
})

/** The file behind a named target. It was not judged, so only what may be read unasked is opened. */
function locateTarget(ctx: Ctx, target: string): ResolvedPath {
  const { targets } = ctx.settings.lookAt
  const file = Object.hasOwn(targets, target) ? targets[target] : undefined
  if (file === undefined) {
    const known = Object.keys(targets)
    const hint =
      known.length === 0
        ? 'none are configured; use path'
        : suggestNames(target, known) || `known: ${known.join(', ')}`
    throw new FailureError({ code: 'not_found', message: `there is no target ${target}`, hint })
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

async function look({ real, shown }: ResolvedPath, ctx: Ctx): Promise<MediaDescription> {
  const opened = openPlain(real, shown)
  try {
    const file = { shown, size: Number(opened.stat.size), ...(await readPrefix(opened, limit)) }
    switch (detectMediaKind(file.bytes)) {
      case 'picture':
        return await describePicture(file)
      case 'svg':
        return describeSvg(file)
      case 'pdf':
        return await describePdf(file, ctx.signal)
      case 'text': {
        const message = `${shown} is text, no picture and no PDF`
        throw new FailureError({ code: 'bad_args', message, hint: 'use read' })
      }
      default: {
        const message = `${shown} is in no format that can be looked at`
        throw new FailureError({ code: 'binary_or_encoding', message })
      }
    }
  } finally {
    closeSync(opened.fd)
  }
}
