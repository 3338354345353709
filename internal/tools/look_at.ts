// The tool look_at: pictures, SVG and PDF files with what can be said of them.
import { closeSync } from 'node:fs'
import * as z from 'zod/mini'
import { type Failure, FailureError } from '../base/errors.ts'
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
import { failedResult, failureResult, type ToolResult } from '../tool/result.ts'
import { defineTool } from '../tool/tool.ts'
import { isFailure, locatePath, mayQuoteFile } from '../tool-support/path-location.ts'
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
      return failedResult('bad_args', 'give either path or target, one of them')
    }
    const place =
      target === undefined ? await locatePath(ctx, path as string, 'read') : await locateTarget(ctx, target)
    if (isFailure(place)) return failureResult(place)
    const view = await look(place, ctx)
    if (isFailure(view)) return failureResult(view)
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

/** The file behind a named target. The gate never saw it, so only what may be read without asking is opened. */
async function locateTarget(ctx: Ctx, target: string): Promise<ResolvedPath | Failure> {
  const { targets } = ctx.settings.lookAt
  const file = Object.hasOwn(targets, target) ? targets[target] : undefined
  if (file === undefined) {
    const known = Object.keys(targets)
    const hint =
      known.length === 0
        ? 'none are configured; use path'
        : suggestNames(target, known) || `known: ${known.join(', ')}`
    return { code: 'not_found', message: `there is no target ${target}`, hint }
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(file)) {
    return { code: 'unavailable', message: `the target ${target} is an address; only files can be looked at` }
  }
  const place = await locatePath(ctx, file, 'read')
  if (isFailure(place) || mayQuoteFile(ctx, place)) return place
  const message = `the target ${target} leads to ${place.shown}, which needs approval`
  return { code: 'sensitive_path', message, hint: 'give it as path, so that it can be asked for' }
}

async function look(place: ResolvedPath, ctx: Ctx): Promise<MediaDescription | Failure> {
  try {
    const opened = openPlain(place.real, place.shown)
    try {
      const file = {
        shown: place.shown,
        size: Number(opened.stat.size),
        ...(await readPrefix(opened, limit)),
      }
      switch (detectMediaKind(file.bytes)) {
        case 'picture':
          return await describePicture(file)
        case 'svg':
          return describeSvg(file)
        case 'pdf':
          return await describePdf(file, ctx.signal)
        case 'text':
          return {
            code: 'bad_args',
            message: `${place.shown} is text, no picture and no PDF`,
            hint: 'use read',
          }
        default:
          return {
            code: 'binary_or_encoding',
            message: `${place.shown} is in no format that can be looked at`,
          }
      }
    } finally {
      closeSync(opened.fd)
    }
  } catch (error) {
    if (error instanceof FailureError) return error.failure
    throw error
  }
}
