// The tool edit_file: replaces parts of one text file, either all of them or none.
import * as z from 'zod/mini'
import { countNoun } from '../../base/text/count-noun.ts'
import { eolNear, splitLines, withEol } from '../../base/text/lines.ts'
import { encodeText } from '../../base/text/text-encoding.ts'
import { previewChange } from '../../patch/change-preview.ts'
import { diffTexts } from '../../patch/diff.ts'
import { applyHunks, type HunkLanding } from '../../patch/hunk-application.ts'
import { landingNote, readOwnDiff } from '../../patch/single-file-diff.ts'
import { type AppliedEdit, applyEdits, describeMatches, type TextEdit } from '../../patch/text-edits.ts'
import { describeMissing } from '../../policy/paths/missing-path.ts'
import type { ResolvedPath } from '../../policy/paths/path-jail.ts'
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
import { locatePath, mayQuoteFile } from '../../tool-support/path-location.ts'
import type { VariantArgs } from '../variants/index.ts'
import about from './edit_file.md'

const edit = z.object({
  old: field(z.string(), 'Text to find, as old_str'),
  new: field(z.string(), 'Text that replaces it'),
  occurrence: field(z._default(z.int().check(z.gte(0)), 0), 'If it occurs several times: which one, from 1'),
  replace_all: field(z.optional(z.boolean()), 'Replace every match.', { hidden: true }),
})

const input = z.object({
  path: field(z.string().check(z.minLength(1)), 'File to change'),
  edits: field(z.optional(z.array(edit).check(z.minLength(1))), 'Several changes, applied in order'),
  old_str: field(z.optional(z.string()), 'Text to find'),
  new_str: field(z.optional(z.string()), 'Text that replaces old_str'),
  replace_all: field(z._default(z.boolean(), false), 'Replace every occurrence of old_str'),
  // Models are not offered this parameter, because those that write diffs have apply_patch.
  unified_diff: field(z.optional(z.string()), 'Unified diff of this one file', { offer: 'never' }),
  match: field(
    z._default(z.enum(['exact', 'tolerant', 'unescape']), 'exact'),
    'tolerant: spaces, quotes and characters that look alike may differ; ' +
      'unescape: also reads \\n and \\t as line break and tab',
  ),
  dry_run: field(z._default(z.boolean(), false), 'Show the diff without changing the file', {
    offer: 'never',
  }),
  insert_line: field(z.optional(z.int().check(z.gte(0))), 'Put new_str below this line; 0: on top.', {
    hidden: true,
  }),
})
type EditFileArgs = z.output<typeof input> & VariantArgs<'edit_file'>

/** The edited file, with all changes made in memory. */
interface EditDraft {
  place: ResolvedPath
  file: LoadedFile
  bytes: Buffer
  before: string
  after: string
  edits: AppliedEdit[]
  hunks: HunkLanding[]
  /** Notes on texts and hunks that did not match the file exactly. */
  notes: readonly string[]
}

export const editFile = defineTool({
  name: 'edit_file',
  about,
  input,
  example: {
    path: 'main.ts',
    edits: [{ old: 'console.log("hello")', new: 'console.log("goodbye")', occurrence: 1 }],
  },
  level: 'confirm_write',
  clip: { chars: 20_000, lines: 400, keep: 'ends' },
  access: ({ path }) => ({ scope: [{ kind: 'path', path, access: 'write' }] }),
  async validate(args: EditFileArgs, ctx) {
    readShape(args)
    // Error messages about an edit contain text of the file. So a file that needs approval to be read is
    // checked only after the call is allowed.
    if (mayQuoteFile(ctx, locatePath(ctx, args.path, 'write'))) await prepareDraft(args, ctx)
  },
  async preview(args: EditFileArgs, ctx) {
    const { place, before, after } = await prepareDraft(args, ctx)
    const what = args.dry_run ? 'not changed: dry run' : 'changed'
    const files = [await previewChange(place.shown, what, before, after)]
    return { files, shows: ['path', 'edits', 'old_str', 'new_str', 'unified_diff'] }
  },
  async run(args: EditFileArgs, ctx) {
    const draft = await prepareDraft(args, ctx)
    const { place, file, bytes } = draft
    const change = { path: place.real, shown: place.shown, bytes, expect: file.print }
    const heard = args.dry_run ? [] : await saveChanges(ctx, [change])
    return await reportEdit(args, draft, heard, ctx.agent?.resultRoom !== undefined)
  },
})

type EditShape =
  | { kind: 'edits'; edits: TextEdit[] }
  | { kind: 'diff'; diff: string }
  | { kind: 'insert'; line: number; text: string }

/**
 * Returns the form of the edit that the call uses. Throws FailureError `bad_args` unless the call has
 * the texts of exactly one form, and if `replace_all` does not fit the form. `match` and `hunk_order`
 * are not checked.
 */
function readShape(args: EditFileArgs): EditShape {
  const { edits, old_str, new_str, replace_all, unified_diff, insert_line } = args
  const shapes = Object.entries({ edits, old_str, unified_diff, insert_line }).filter(
    ([, value]) => value !== undefined,
  )
  const names = shapes.map(([name]) => name)
  const hint = 'Give exactly one of `edits`, `old_str` with `new_str`, or `unified_diff`.'
  if (names.length === 0) {
    throw editError(
      'bad_args',
      new_str === undefined ? 'there is nothing to change' : 'new_str comes without old_str',
      hint,
    )
  }
  if (names.length > 1) throw editError('bad_args', `${names.join(' and ')} are given together`, hint)
  if (old_str !== undefined) {
    if (new_str === undefined)
      throw editError('bad_args', 'old_str comes without new_str', 'To delete it give an empty new_str.')
    return {
      kind: 'edits',
      edits: [{ name: 'old_str', old: old_str, new: new_str, occurrence: replace_all ? 'all' : 0 }],
    }
  }
  if (insert_line !== undefined && !replace_all) {
    if (new_str === undefined) throw editError('bad_args', '`insert_line` comes without `new_str`')
    return { kind: 'insert', line: insert_line, text: new_str }
  }
  if (new_str !== undefined) throw editError('bad_args', `new_str comes with ${names[0]}`, hint)
  if (replace_all)
    throw editError(
      'bad_args',
      `replace_all comes with ${names[0]}`,
      'It goes with old_str; in edits use occurrence.',
    )
  if (unified_diff !== undefined) return { kind: 'diff', diff: unified_diff }
  return {
    kind: 'edits',
    edits: (edits ?? []).map(({ replace_all: all, occurrence, ...one }, i) => ({
      ...one,
      name: `edits[${i}]`,
      occurrence: all ? 'all' : occurrence,
    })),
  }
}

async function prepareDraft(args: EditFileArgs, ctx: Ctx): Promise<EditDraft> {
  const shape = readShape(args)
  const place = locatePath(ctx, args.path, 'write')
  const file = await loadFile(ctx, place)
  if (!file) {
    const { message, hint = '' } = describeMissing(place)
    const next = 'Make it with create_file, or find the right path with glob.'
    throw editError('file_missing', message, hint === '' ? next : `${hint} ${next}`)
  }
  const { text, bom } = await decodeLoadedFile(file, place)
  if (file.stale) throw staleReadError(place.shown)
  const changed =
    shape.kind === 'insert'
      ? insertLines(text, shape)
      : shape.kind === 'diff'
        ? await patchText(text, shape.diff, place, bom, args.hunk_order === 'file')
        : await replaceTexts(text, shape.edits.map(withoutMark), args)
  refuseUnwritable(changed.after, 'the replacement')
  if (place.real.endsWith('.ipynb')) refuseBrokenNotebook(place.shown, text, changed.after)
  return { place, file, before: text, bytes: encodeText(changed.after, bom), ...changed }
}

/**
 * Throws FailureError `bad_args` for an edit after which a notebook is no longer valid JSON with a
 * list of cells.
 */
function refuseBrokenNotebook(displayPath: string, before: string, after: string): void {
  if (!isNotebook(before) || isNotebook(after)) return
  const message = `${displayPath} would no longer be a notebook: it is JSON with a list of cells`
  throw editError('bad_args', message, 'Check the commas and quote marks around the lines of a cell.')
}

function isNotebook(text: string): boolean {
  try {
    const { cells, worksheets } = JSON.parse(text) as { cells?: unknown; worksheets?: unknown }
    return Array.isArray(cells ?? worksheets)
  } catch {
    // A text that is not valid JSON is not a notebook.
    return false
  }
}

/**
 * Removes a byte order mark at the start of the texts of an edit. The edited text does not contain the
 * mark, so edits that copied it still match, and the file keeps it. An edit whose `old` is nothing but the
 * mark stays unchanged.
 */
function withoutMark(edit: TextEdit): TextEdit {
  const bare = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text)
  return bare(edit.old) === '' ? edit : { ...edit, old: bare(edit.old), new: bare(edit.new) }
}

async function replaceTexts(text: string, edits: TextEdit[], args: EditFileArgs) {
  const { text: after, applied } = applyEdits(text, edits, args.match)
  return { after, edits: applied, hunks: [], notes: describeMatches(applied) }
}

/**
 * Inserts whole lines below the line number `line` (0: above the first), with the line ends of the
 * neighboring lines, and returns the new text as `after`. Throws FailureError if the file has fewer lines or
 * there is nothing to insert.
 */
function insertLines(text: string, { line, text: added }: { line: number; text: string }) {
  const lines = splitLines(text)
  if (line > lines.length) {
    throw editError(
      'bad_args',
      `\`insert_line\` is ${line}, and the file has ${countNoun(lines.length, 'line')}`,
    )
  }
  if (added === '') throw editError('no_change', 'there is nothing to insert')
  const before = lines.slice(0, line).join('')
  const after = lines.slice(line).join('')
  const eol = eolNear(text, before.length) ?? '\n'
  const lead = before === '' || before.endsWith('\n') ? before : before + eol
  const fresh = withEol(added, eol)
  const insertedText = fresh.endsWith('\n') || after === '' ? fresh : fresh + eol
  const applied: AppliedEdit = { name: 'insert_line', line: line + 1, replacements: 1, match: 'exact' }
  return { after: lead + insertedText + after, edits: [applied], hunks: [], notes: [] }
}

async function patchText(text: string, diff: string, place: ResolvedPath, bom: boolean, inOrder: boolean) {
  const mark = bom ? '\uFEFF' : ''
  if (inOrder && !/^@@/m.test(diff))
    throw editError('bad_patch', 'no patch hunks found', 'Begin each with @@.')
  const hunks = readOwnDiff(diff, place.shown)
  const { text: after, landings } = applyHunks(mark + text, hunks, place.shown, inOrder)
  if (after === mark + text) throw editError('no_change', 'unified_diff leaves the file as it is')
  const notes = landings.map(landingNote).filter((note) => note !== '')
  return { after: bom && after.startsWith(mark) ? after.slice(1) : after, edits: [], hunks: landings, notes }
}

/** Limits for the diff that a model gets of its edit: number of lines, and characters of each line. */
const maxDiffLines = 40
const maxDiffLineChars = 500

/** Returns the first lines of a diff, with long lines truncated and with the number of omitted lines. */
function shortenDiff(diff: string): string {
  const lines = diff.split('\n')
  const visibleLines = lines
    .slice(0, maxDiffLines)
    .map((line) => (line.length > maxDiffLineChars ? `${line.slice(0, maxDiffLineChars)}…` : line))
  const more = lines.length - maxDiffLines
  return [...visibleLines, ...(more > 0 ? [`… ${countNoun(more, 'more line')} of the diff`] : [])].join('\n')
}

async function reportEdit(
  args: EditFileArgs,
  { place, before, after, edits, hunks, notes }: EditDraft,
  heard: readonly string[],
  isForModel: boolean,
) {
  const diff = await diffTexts(place.shown, before, after)
  const replacements = edits.reduce((sum, one) => sum + one.replacements, 0)
  const what = hunks.length > 0 ? countNoun(hunks.length, 'hunk') : countNoun(replacements, 'replacement')
  const done = args.dry_run ? 'would change' : 'changed'
  const head = [`${done} ${place.shown}: ${what}, +${diff.added} -${diff.removed}`, ...notes, ...heard]
  const full = diff.text.trimEnd()
  const short = isForModel ? shortenDiff(full) : full
  return {
    text: [...head, short].join('\n'),
    whole: short === full ? undefined : [...head, full].join('\n'),
    data: {
      path: place.shown,
      dry_run: args.dry_run,
      replacements,
      added: diff.added,
      removed: diff.removed,
      edits,
      hunks,
      diff: diff.text,
    },
  }
}
