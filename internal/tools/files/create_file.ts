// The tool create_file: writes a whole file, or appends to one. It replaces a file only on request.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { countNoun } from '../../base/text/count-noun.ts'
import { splitLines } from '../../base/text/lines.ts'
import { contentKind, encodeText } from '../../base/text/text-encoding.ts'
import { previewChange } from '../../patch/change-preview.ts'
import type { ResolvedPath } from '../../policy/paths/path-jail.ts'
import type { FileDiff } from '../../tool/ask.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import {
  decodeLoadedFile,
  editError,
  type LoadedFile,
  loadFile,
  refuseUnwritable,
  saveChanges,
  staleReadError,
} from '../../tool-support/file-edits.ts'
import { locatePath } from '../../tool-support/path-location.ts'
import type { VariantArgs } from '../variants/index.ts'
import about from './create_file.md'

const input = z.object({
  path: field(z.string().check(z.minLength(1)), 'File to write'),
  content: field(z.string(), 'Whole text of the file, with a newline at its end'),
  overwrite: field(z._default(z.boolean(), false), 'true: replace an existing file'),
  append: field(z._default(z.boolean(), false), 'true: add content to the end of an existing file'),
})
type CreateFileArgs = z.output<typeof input> & VariantArgs<'create_file'>

/**
 * The place and the whole new bytes of the file, and the existing file that they replace or extend (null if
 * it does not exist).
 */
interface FileDraft {
  place: ResolvedPath
  there: LoadedFile | null
  bytes: Buffer
}

export const createFile = defineTool({
  name: 'create_file',
  about,
  offer: { mentions: ['edit_file'] },
  input,
  example: { path: 'notes/plan.md', content: '# Plan\n\n1. Measure\n2. Change\n' },
  level: 'confirm_write',
  access: ({ path }) => ({ scope: [{ kind: 'path', path, access: 'write' }] }),
  async validate(args: CreateFileArgs, ctx) {
    await prepareDraft(args, ctx)
  },
  async preview(args: CreateFileArgs, ctx) {
    return { files: [await diffOf(await prepareDraft(args, ctx))], shows: ['path', 'content'] }
  },
  async run(args: CreateFileArgs, ctx) {
    const draft = await prepareDraft(args, ctx)
    const { place, there, bytes } = draft
    const unchanged = there?.bytes.equals(bytes) ?? false
    const change = { path: place.real, shown: place.shown, bytes, expect: there ? there.print : null }
    const heard = unchanged ? [] : await saveChanges(ctx, [change])
    // The result has a diff only if the file existed before, since the call already contains the content of
    // a new file.
    const diffs = there && !unchanged ? [await diffOf(draft)] : []
    return reportCreation(args, draft, unchanged, { heard, diffs })
  },
})

async function prepareDraft(args: CreateFileArgs, ctx: Ctx): Promise<FileDraft> {
  const { path, content, overwrite, append } = args
  if (overwrite && append) throw editError('bad_args', 'overwrite and append exclude each other')
  if (path.endsWith('/')) {
    throw editError(
      'bad_args',
      `${path} names a directory`,
      'Directories are made together with their first file.',
    )
  }
  refuseUnwritable(content, 'the content')
  const place = locatePath(ctx, path, 'write')
  const there = await loadFile(ctx, place)
  if (there && !overwrite && !append) {
    const since = formatAge(Date.now() - there.modified.getTime())
    const message = `${place.shown} exists already (${there.size} bytes, changed ${since} ago)`
    throw editError('file_exists', message, 'Change it with edit_file, or set overwrite or append.')
  }
  if (!there && args.parents === false && !existsSync(dirname(place.real))) {
    const message = `the folder that is to hold ${place.shown} does not exist`
    throw editError('not_found', message, 'Set `parents` to make it too.')
  }
  if (there?.stale) throw staleReadError(place.shown)
  if (!append || !there) return { place, there, bytes: encodeText(content) }
  const { text, bom } = await decodeLoadedFile(there, place)
  return { place, there, bytes: encodeText(text + content, bom) }
}

async function diffOf({ place, there, bytes }: FileDraft): Promise<FileDiff> {
  const before = there && contentKind(there.bytes) === 'text' ? there.bytes.toString('utf8') : null
  const what = !there ? 'created' : before === null ? 'replaced: it is not text now' : 'changed'
  return previewChange(place.shown, what, before, bytes.toString('utf8'))
}

/**
 * Returns a duration in the largest unit of which it contains at least two, rounded down, such as `3 hours`.
 * A duration below two seconds is in seconds.
 */
function formatAge(ms: number): string {
  const units: [number, string][] = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ]
  const seconds = Math.max(0, Math.round(ms / 1000))
  const [length, unit] = units.find(([length]) => seconds >= 2 * length) ?? [1, 'second']
  return countNoun(Math.floor(seconds / length), unit)
}

function reportCreation(
  { content, append }: CreateFileArgs,
  { place, there, bytes }: FileDraft,
  unchanged: boolean,
  { heard, diffs }: { heard: readonly string[]; diffs: readonly FileDiff[] },
) {
  const action = unchanged ? 'unchanged' : !there ? 'created' : append ? 'appended' : 'overwritten'
  const lines = splitLines(content).length
  const done = {
    unchanged: `${place.shown} holds exactly this already`,
    created: `created ${place.shown}`,
    appended: `added to ${place.shown}`,
    overwritten: `replaced ${place.shown}`,
  }[action]
  return {
    text: [`${done}: ${countNoun(lines, 'line')}, ${bytes.length} bytes in all`, ...heard].join('\n'),
    data: { path: place.shown, action, lines, size: bytes.length, previous_size: there?.size ?? null, diffs },
  }
}
