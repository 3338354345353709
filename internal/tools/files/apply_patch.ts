// The tool apply_patch: applies a patch to any number of text files, either completely or not at all.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import type { TransactionChange } from '../../base/files/transaction-file.ts'
import { encodeText } from '../../base/text/text-encoding.ts'
import { previewChange } from '../../patch/change-preview.ts'
import type { FilePatch } from '../../patch/patch.ts'
import { type PatchStep, type PatchTarget, planPatch, type ReadPatchSource } from '../../patch/patch-plan.ts'
import { readPatch } from '../../patch/patch-reader.ts'
import { landingNote } from '../../patch/single-file-diff.ts'
import type { CallScope } from '../../policy/level.ts'
import type { ResolvedPath } from '../../policy/paths/path-jail.ts'
import type { FileDiff } from '../../tool/ask.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import {
  decodeLoadedFile,
  isLink,
  loadFile,
  refuseUnwritable,
  saveChanges,
  staleReadError,
} from '../../tool-support/file-edits.ts'
import { locatePath, mayQuoteFile } from '../../tool-support/path-location.ts'
import about from './apply_patch.md'

const input = z.object({
  patch: field(
    z.string().check(z.minLength(1)),
    'Unified diff (--- a/x, +++ b/x, @@), or *** Begin Patch … *** End Patch; nothing before or after',
    {
      aliases: ['input', 'diff'],
    },
  ),
})
type ApplyPatchArgs = z.output<typeof input>

export const applyPatch = defineTool({
  name: 'apply_patch',
  about,
  input,
  example: { patch: '--- a/main.ts\n+++ b/main.ts\n@@ -1 +1 @@\n-old\n+new\n' },
  level: 'confirm_write',
  access: (args) => ({ scope: patchScope(args) }),
  async validate(args, ctx) {
    const files = parseCallPatch(args)
    for (const { path } of patchScope(args)) {
      // Error messages about a patch contain text of its files. So if a file needs approval to be read, the
      // patch is checked only after the call is allowed.
      if (!mayQuoteFile(ctx, locatePath(ctx, path, 'write'))) return
    }
    await preparePatch(files, ctx)
  },
  async preview(args, ctx) {
    const { targets, steps } = await preparePatch(parseCallPatch(args), ctx)
    return { files: await previewTargets(targets, steps), shows: ['patch'] }
  },
  async run(args, ctx) {
    const { targets, steps } = await preparePatch(parseCallPatch(args), ctx)
    const heard = await saveChanges(ctx, targets.map(toChange))
    return reportPatch(steps, await previewTargets(targets, steps), heard)
  },
})

const patches = new WeakMap<ApplyPatchArgs, FilePatch[]>()

/**
 * Returns the parsed patch of a call. A patch is parsed only once for the same arguments object. Throws if it
 * cannot be parsed.
 */
function parseCallPatch(args: ApplyPatchArgs): FilePatch[] {
  const filePatches = patches.get(args) ?? readPatch(args.patch)
  patches.set(args, filePatches)
  return filePatches
}

/**
 * Returns every path in the patch as a scope. A file that is only copied is read; all other
 * files are written.
 */
function patchScope(args: ApplyPatchArgs): Extract<CallScope, { kind: 'path' }>[] {
  const scopes = new Map<string, 'read' | 'write'>()
  for (const { kind, path, from } of parseCallPatch(args)) {
    scopes.set(path, 'write')
    if (from !== undefined && scopes.get(from) !== 'write')
      scopes.set(from, kind === 'copy' ? 'read' : 'write')
  }
  return [...scopes].map(([path, access]) => ({ kind: 'path', path, access }))
}

async function preparePatch(files: readonly FilePatch[], ctx: Ctx) {
  const blind = new Set(files.filter((file) => file.kind === 'delete' && file.blind).map((file) => file.path))
  const leaving = files.flatMap(({ kind, path, from }) =>
    kind === 'delete' ? [path] : kind === 'rename' ? [from ?? ''] : [],
  )
  const read: ReadPatchSource = async (path) => {
    const place = locatePath(ctx, path, 'write')
    if (leaving.includes(path) && isLink(place)) throw linkErrorFor(place)
    const file = await loadFile(ctx, place).catch((error: unknown) => {
      if (makesRoom(error, path, leaving)) return null
      throw error
    })
    // A removal without content does not show what it removes, so the file must be unchanged since the
    // session read it.
    if (file?.stale && blind.has(path)) throw staleReadError(place.shown)
    if (!file) return { key: place.real, shown: place.shown, file: null }
    const { text, bom } = await decodeLoadedFile(file, place)
    const { mode, print } = file
    return { key: place.real, shown: place.shown, file: { text: bom ? `\uFEFF${text}` : text, mode, print } }
  }
  const planned = await planPatch(files, read)
  for (const { text, source } of planned.targets) if (text !== null) refuseUnwritable(text, source.shown)
  return planned
}

/**
 * Returns the error for a patch that names a link and would move or remove the file behind it, which
 * is never intended.
 */
function linkErrorFor({ given: givenPath, shown: displayPath }: ResolvedPath): FailureError {
  const message = `${givenPath} is a link to ${displayPath}: a patch moves and removes files, not links`
  return new FailureError({
    code: 'bad_patch',
    message,
    hint: `Name ${displayPath} itself, or remove the link with bash.`,
  })
}

/**
 * Returns true if the error is about a path that the same patch makes free: `path` is a directory with a file
 * that the patch removes or renames, or such a file is where a parent directory of `path` should be.
 */
function makesRoom(error: unknown, path: string, leaving: readonly string[]): boolean {
  if (!(error instanceof FailureError)) return false
  const { code } = error.failure
  if (code === 'is_directory') return leaving.some((leavingPath) => leavingPath.startsWith(`${path}/`))
  return code === 'not_a_directory' && leaving.some((leavingPath) => path.startsWith(`${leavingPath}/`))
}

async function previewTargets(
  targets: readonly PatchTarget[],
  steps: readonly PatchStep[],
): Promise<FileDiff[]> {
  const files: FileDiff[] = []
  for (const target of targets) files.push(await previewTarget(target, targets, steps))
  return files
}

/**
 * Returns the preview of one file of the patch. A moved file is compared with its content under the old name,
 * so that only the changes are shown.
 */
async function previewTarget(
  { source, text, mode }: PatchTarget,
  all: readonly PatchTarget[],
  steps: readonly PatchStep[],
) {
  const { shown: displayPath, file } = source
  const old = file?.text ?? null
  const moved = steps.findLast((step) => step.path === displayPath && step.from !== undefined)
  const from = all.find((one) => one.source.shown === moved?.from)
  const isExecutable = text !== null && mode !== undefined && (mode & 0o111) !== 0
  const change =
    file && mode !== undefined && mode !== file.mode
      ? `, ${isExecutable ? 'made executable' : 'no longer executable'}`
      : !file && isExecutable
        ? ', executable'
        : ''
  if (text === null) {
    const heir = steps.find((step) => step.kind === 'rename' && step.from === displayPath)
    const heirText = all.find((one) => one.source.shown === heir?.path)?.text
    // A removed file that was renamed is listed without its content, because the new file shows the content.
    if (heir && heirText !== undefined && heirText !== null)
      return { path: displayPath, what: `renamed to ${heir.path}`, hunks: '', added: 0, removed: 0 }
    return previewChange(displayPath, 'removed', old, null)
  }
  if (!file && moved?.kind === 'rename' && from?.source.file)
    return previewChange(displayPath, `renamed from ${moved.from}${change}`, from.source.file.text, text)
  return previewChange(displayPath, `${file ? 'changed' : 'created'}${change}`, old, text)
}

function toChange({ source, text, mode }: PatchTarget): TransactionChange {
  const change: TransactionChange = {
    path: source.key,
    shown: source.shown,
    bytes: text === null ? null : encodeText(text),
    expect: source.file ? source.file.print : null,
  }
  if (mode !== undefined) change.mode = mode
  return change
}

const verbs: Readonly<Record<PatchStep['kind'], string>> = {
  modify: 'changed',
  create: 'created',
  delete: 'removed',
  rename: 'renamed',
  copy: 'copied',
}

function reportPatch(steps: readonly PatchStep[], diffs: readonly FileDiff[], heard: readonly string[]) {
  const sum = (key: 'added' | 'removed') => steps.reduce((total, step) => total + step[key], 0)
  const lines = steps.flatMap((step) => {
    const names = step.from === undefined ? step.path : `${step.from} to ${step.path}`
    const mode = step.executable === undefined ? '' : step.executable ? ', executable' : ', not executable'
    const notes = step.hunks.map(landingNote).filter((note) => note !== '')
    return [
      `${verbs[step.kind]} ${names}: +${step.added} -${step.removed}${mode}`,
      ...notes.map((note) => `  ${note}`),
    ]
  })
  return {
    text: [...lines, ...heard].join('\n'),
    data: { files: steps, added: sum('added'), removed: sum('removed'), diffs },
  }
}
