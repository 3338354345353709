// Parser of unified diffs: plain ones, git's with extended headers, and those of models with
// wrong line counts.
import { FailureError } from '../base/errors.ts'
import { readHunk, withoutCr } from './hunk.ts'
import { badPatch, type FilePatch, type Hunk, type PatchKind, strayLineHint } from './patch.ts'
import { fromPair, readGitLine, readName, stripPrefix } from './patch-file-name.ts'

/** The section of one file while the patch is parsed. */
interface FileSection {
  /** Number of the section's first line in the patch, from 1. */
  line: number
  git?: { name: string; prefixed: boolean } | undefined
  isGit: boolean
  /**
   * Paths from the lines `---` and `+++`, each undefined for /dev/null. Missing if the section has
   * no such lines.
   */
  pair?: { old: string | undefined; fresh: string | undefined }
  from?: string | undefined
  to?: string | undefined
  change?: Exclude<PatchKind, 'modify'>
  executable?: boolean
  hunks: Hunk[]
}

/**
 * Parses a diff; one that names no file is for `path` if set. Throws FailureError `bad_patch` for a malformed
 * diff or a missing file name, and `unsupported_binary_patch` for binary content.
 */
export function readUnified(text: string, path?: string): FilePatch[] {
  const lines = toLines(text)
  const sections: FileSection[] = []
  const begin = (i: number, isGit: boolean): FileSection => {
    const section: FileSection = { line: i + 1, isGit, hunks: [] }
    sections.push(section)
    return section
  }
  // True while lines are prose: before the first header, and after the signature of a mail.
  let prose = true
  for (let i = 0; i < lines.length; ) {
    const line = withoutCr(lines[i] as string)
    const section = sections.at(-1)
    if (line.startsWith('diff --git ')) {
      begin(i, true).git = readGitLine(line.slice(11), i + 1)
      prose = false
      i++
    } else if (isPair(lines, i)) {
      const target = section && section.hunks.length === 0 && !section.pair ? section : begin(i, false)
      const second = withoutCr(lines[i + 1] as string)
      target.pair = { old: readName(line.slice(4), i + 1), fresh: readName(second.slice(4), i + 2) }
      prose = false
      i += 2
    } else if (line.startsWith('@@') && (section || path !== undefined)) {
      const target = section ?? begin(i, false)
      const { hunk, next } = readHunk(lines, i, target.hunks.length + 1)
      target.hunks.push(hunk)
      prose = false
      i = next
    } else {
      if (section && !prose) prose = readHeader(section, line, i + 1)
      i++
    }
  }
  if (sections.length === 0) {
    const hint = 'Begin with `--- a/path` and `+++ b/path`, or with `*** Begin Patch`.'
    throw badPatch('it has no file header', undefined, hint)
  }
  return sections.map((section) => toFilePatch(section, path))
}

/**
 * Returns the lines without LF. If every line ends with CR, the CRs come from the transport of the patch
 * and are removed.
 */
function toLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.length > 0 && lines.every((line) => line.endsWith('\r')) ? lines.map(withoutCr) : lines
}

/** Returns whether a two-line file header begins here. */
function isPair(lines: readonly string[], i: number): boolean {
  return lines[i]?.startsWith('--- ') === true && lines[i + 1]?.startsWith('+++ ') === true
}

const ignored =
  /^(index|similarity index|dissimilarity index|Index:|Only in|Common subdirectories:|diff) |^=+$|^$/

/**
 * Parses one extended header of git, and ignores headers without use. Returns true for the signature of a
 * mail, after which prose begins. Throws FailureError `bad_patch` for a line that is not a header or for the
 * mode of a link, `unsupported_binary_patch` for binary content.
 */
function readHeader(section: FileSection, line: string, number: number): boolean {
  if (line === 'GIT binary patch' || /^Binary files .* differ$/.test(line)) throw createBinaryFailure(number)
  const [, which, mode] = /^(old|new|new file|deleted file) mode (\d+)$/.exec(line) ?? []
  if (which !== undefined && mode !== undefined) {
    readMode(section, which, mode, number)
    return false
  }
  const [, change, side, name] = /^(rename|copy) (from|to) (.+)$/.exec(line) ?? []
  if ((change === 'rename' || change === 'copy') && name !== undefined) {
    section.change = change
    section[side === 'from' ? 'from' : 'to'] = readName(name, number)
    return false
  }
  if (line === '-- ') return true
  if (ignored.test(line)) return false
  throw badPatch(
    `${JSON.stringify(line.slice(0, 80))} is neither a header nor part of a hunk`,
    number,
    strayLineHint,
  )
}

function readMode(section: FileSection, which: string, mode: string, number: number): void {
  if (!/^100[0-7]{3}$/.test(mode)) {
    throw badPatch(`mode ${mode} is not a regular file; links and submodules are not supported`, number)
  }
  if (which.startsWith('new')) section.executable = (Number.parseInt(mode, 8) & 0o100) !== 0
  if (which === 'new file') section.change = 'create'
  if (which === 'deleted file') section.change = 'delete'
}

function toFilePatch(section: FileSection, defaultPath: string | undefined): FilePatch {
  const { hunks, line, executable, from } = section
  const kind = kindOf(section)
  const path = nameOf(section, kind) ?? defaultPath
  if (path === undefined) throw badPatch('the name of the file is missing', line)
  const moved = kind === 'rename' || kind === 'copy'
  if (moved && from === undefined) throw badPatch(`the ${kind} does not say from where`, line)
  if (hunks.length === 0 && kind === 'modify' && executable === undefined) {
    throw badPatch(`it does not say what to change in ${path}`, line)
  }
  if (kind === 'create' && hunks.some((hunk) => hunk.lines.some(({ op }) => op !== '+'))) {
    throw badPatch(`${path} is created, but the patch has lines that should be there already`, line)
  }
  const file: FilePatch = { kind, path, hunks, blind: false }
  if (moved && from !== undefined) file.from = from
  if (executable !== undefined && kind !== 'delete') file.executable = executable
  return file
}

function kindOf({ change, pair }: FileSection): PatchKind {
  if (change) return change
  if (!pair) return 'modify'
  return pair.old === undefined ? 'create' : pair.fresh === undefined ? 'delete' : 'modify'
}

function nameOf({ git, isGit, pair, to }: FileSection, kind: PatchKind): string | undefined {
  if (kind === 'rename' || kind === 'copy') return to
  if (!pair) return git?.name
  const name = pair.fresh ?? pair.old
  if (!isGit || !git || name === undefined) return fromPair(pair.old, pair.fresh)
  return git.prefixed ? stripPrefix(name) : name
}

function createBinaryFailure(line: number): FailureError {
  return new FailureError({
    code: 'unsupported_binary_patch',
    message: `line ${line} of the patch: binary content cannot be patched`,
    hint: 'Leave binary files out of the patch.',
    detail: { line },
  })
}
