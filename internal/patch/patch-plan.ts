// Plan of the changes that a patch over several files makes, without touching the files.

import { type Failure, FailureError } from '../base/errors.ts'
import { countLines } from '../base/text/line-count.ts'
import { applyHunks, contentOf, type HunkLanding } from './hunk-application.ts'
import type { FilePatch, PatchKind } from './patch.ts'

/** A file as it is before the patch. It may be missing. */
export interface PatchSource {
  /** Key of the file, which is equal for all paths that lead to it. */
  key: string
  /** Path of the file in messages. */
  shown: string
  /**
   * Content of the file, or null if the file is missing. `text` includes the byte order mark of a file that
   * has one, `mode` has the permission bits, and `print` changes with the content.
   */
  file: { text: string; mode: number; print: string } | null
}

/** Reads a file. Throws FailureError if the path may not be used or the file is not text. */
export type ReadPatchSource = (path: string) => Promise<PatchSource>

/** A file after the patch. */
export interface PatchTarget {
  source: PatchSource
  /** Text of the file, or null if the patch removes the file. */
  text: string | null
  /** Permission bits; undefined for a removed file, and for a new file that is not executable. */
  mode: number | undefined
}

export interface PatchStep {
  kind: PatchKind
  path: string
  from?: string
  added: number
  removed: number
  executable?: boolean
  hunks: HunkLanding[]
}

interface FileSlot {
  source: PatchSource
  now: { text: string; mode: number | undefined; executable: boolean | undefined } | null
  /** True if this patch has already put another file at the path. */
  replaced: boolean
}

/**
 * Plans every section in order; each sees the changes of the previous ones. A copy reads its source as it was
 * before the patch; so does a rename whose source was replaced meanwhile. Throws FailureError `file_missing`,
 * `file_exists`, `hunk_mismatch`, `ambiguous`, `no_change`, or an error of `read`.
 */
export async function planPatch(files: readonly FilePatch[], read: ReadPatchSource) {
  const tree = new Map<string, FileSlot>()
  const open = async (path: string): Promise<FileSlot> => {
    const source = await read(path)
    const storedSlot = tree.get(source.key)
    if (storedSlot) return storedSlot
    const { file } = source
    const slot: FileSlot = {
      source,
      now: file && { text: file.text, mode: file.mode, executable: undefined },
      replaced: false,
    }
    tree.set(source.key, slot)
    return slot
  }
  const leaving = new Set<FileSlot>()
  for (const file of files) {
    if (file.kind === 'rename' && file.from !== undefined) leaving.add(await open(file.from))
  }
  const steps: PatchStep[] = []
  for (const file of files) {
    const slot = await open(file.path)
    const from = file.from === undefined ? slot : await open(file.from)
    steps.push(planStep(file, slot, from, leaving))
  }
  const targets = [...tree.values()].filter(isChanged).map(({ source, now }): PatchTarget => {
    return { source, text: now?.text ?? null, mode: now ? modeOf(now) : undefined }
  })
  if (targets.length === 0) {
    throw new FailureError({ code: 'no_change', message: 'the patch leaves every file as it is' })
  }
  return { targets, steps }
}

function planStep(
  file: FilePatch,
  slot: FileSlot,
  from: FileSlot,
  leaving: ReadonlySet<FileSlot>,
): PatchStep {
  const step: PatchStep = { kind: file.kind, path: slot.source.shown, added: 0, removed: 0, hunks: [] }
  const base = baseOf(file, slot, from)
  if (file.kind === 'delete') {
    removeFile(file, slot, step)
    return step
  }
  const fresh = base === null
  if (fresh) step.kind = 'create'
  const moved = slot !== from
  if ((fresh || moved) && slot.now && !(leaving.has(slot) && !slot.replaced)) {
    throw createFailure(
      'file_exists',
      `${slot.source.shown} exists already`,
      'Patch it, or remove it in the same patch.',
    )
  }
  if (moved) step.from = from.source.shown
  if (fresh) {
    const text = contentOf(file.hunks)
    step.added = countLines(text)
    slot.now = { text, mode: undefined, executable: file.executable }
  } else {
    const { text, landings, added, removed } = applyHunks(base.text, file.hunks, from.source.shown)
    Object.assign(step, { hunks: landings, added, removed })
    if (file.kind === 'rename' && moved && !from.replaced) from.now = null
    slot.now = { text, mode: base.mode, executable: file.executable ?? base.executable }
  }
  if (file.executable !== undefined) step.executable = file.executable
  if (fresh || moved) slot.replaced = true
  return step
}

/**
 * Returns the content to which the hunks of `file` apply, or null for a new file, also if the changes of a
 * missing file only add lines. Throws FailureError `file_missing` for any other missing file.
 */
function baseOf(file: FilePatch, slot: FileSlot, from: FileSlot): FileSlot['now'] {
  if (file.kind === 'create') return null
  const original = from.source.file
  // A copy uses the file before this patch. A rename does too, if another file has taken its name meanwhile.
  const asItWas = slot !== from && (file.kind === 'copy' || from.replaced)
  const base =
    asItWas && original ? { text: original.text, mode: original.mode, executable: undefined } : from.now
  if (base) return base
  const additions =
    file.hunks.length > 0 && file.hunks.every((hunk) => hunk.lines.every(({ op }) => op === '+'))
  if (file.kind === 'modify' && additions) return null
  throw createFailure(
    'file_missing',
    `${from.source.shown} does not exist`,
    'To create a file take /dev/null as the old one.',
  )
}

function removeFile(file: FilePatch, slot: FileSlot, step: PatchStep): void {
  const text = slot.now?.text ?? ''
  step.removed = countLines(text)
  if (!file.blind) {
    const rest = applyHunks(text, file.hunks, slot.source.shown)
    step.hunks = rest.landings
    if (rest.text !== '') {
      const message = `${slot.source.shown} is to be removed, but contains more than the patch states`
      throw createFailure('hunk_mismatch', message, 'Read the file again.')
    }
  }
  slot.now = null
  slot.replaced = false
}

function isChanged({ source: { file }, now }: FileSlot): boolean {
  if (!file || !now) return file !== now
  return file.text !== now.text || (modeOf(now) ?? file.mode) !== file.mode
}

/**
 * Returns the permission bits, or undefined for a new file that is not executable. The execute bit is set for
 * every user who may read, as git and chmod +x do.
 */
function modeOf({ mode, executable }: NonNullable<FileSlot['now']>): number | undefined {
  if (executable === undefined || (mode === undefined && !executable)) return mode
  const base = mode ?? 0o666 & ~process.umask()
  return executable ? base | ((base & 0o444) >> 2) : base & ~0o111
}

function createFailure(code: Failure['code'], message: string, hint: string): FailureError {
  return new FailureError({ code, message, hint })
}
