// Parser of one hunk of a unified diff. It uses the counts of the header if they are correct, else
// the following lines.
import { badPatch, type Hunk, type HunkLine, strayLineHint } from './patch.ts'

interface HunkBody {
  lines: HunkLine[]
  /** Index of the line after the hunk. */
  next: number
}

/**
 * Parses the hunk whose header is at the index `at`; `number` is its number within the file. `lines` are
 * without LF. Throws FailureError `bad_patch` for an empty hunk, a diff of a merge, and a line that is not
 * part of a hunk.
 */
export function readHunk(lines: readonly string[], at: number, number: number): { hunk: Hunk; next: number } {
  const header = withoutCr(lines[at] as string)
  if (header.startsWith('@@@')) throw badPatch('a combined diff of a merge cannot be applied', at + 1)
  const m = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(header)
  const counted = m ? readCounted(lines, at + 1, Number(m[2] ?? 1), Number(m[3] ?? 1)) : undefined
  const body = counted ?? readUncounted(lines, at + 1)
  if (body.lines.length === 0) throw badPatch('the hunk is empty', at + 1)
  const hunk: Hunk = { number, header, anchors: [], atEnd: false, lines: body.lines }
  // without old lines, the number in the header is that of the previous line
  if (m) hunk.start = Number(m[1]) + (body.lines.every(({ op }) => op === '+') ? 1 : 0)
  return { hunk, next: body.next }
}

/**
 * Returns the body with as many lines as the header counts, or undefined if the counts do not
 * match the lines.
 */
function readCounted(
  lines: readonly string[],
  from: number,
  old: number,
  fresh: number,
): HunkBody | undefined {
  const body: HunkBody = { lines: [], next: from }
  let olds = 0
  let news = 0
  while (olds < old || news < fresh) {
    const line = lines[body.next]
    const before = body.lines.length
    if (line === undefined || !addLine(body, line)) return undefined
    if (body.lines.length === before) continue
    const op = body.lines[before]?.op
    if (op !== '+') olds++
    if (op !== '-') news++
    if (olds > old || news > fresh) return undefined
  }
  if (lines[body.next]?.startsWith('\\')) addLine(body, lines[body.next] as string)
  const next = lines[body.next]
  const more = next !== undefined && /^[ +\\-]/.test(next) && !endsHere(lines, body.next)
  return more ? undefined : body
}

/**
 * Returns the body up to the next header or the end. Blank lines at its end do not belong to the hunk. Throws
 * FailureError `bad_patch` for a line that is not part of a hunk.
 */
function readUncounted(lines: readonly string[], from: number): HunkBody {
  const body: HunkBody = { lines: [], next: from }
  let blank = 0
  for (let line = lines[from]; line !== undefined; line = lines[body.next]) {
    if (/^(@@|diff |Index: |=+$)/.test(line) || endsHere(lines, body.next)) break
    if (!addLine(body, line)) {
      throw badPatch(
        `${JSON.stringify(line.slice(0, 80))} is not part of a hunk`,
        body.next + 1,
        strayLineHint,
      )
    }
    blank = withoutCr(line) === '' ? blank + 1 : 0
  }
  body.lines.length -= blank
  return body
}

/**
 * Returns whether the patch or its section for this file ends at this line. `---` and `+++` could also be a
 * removed `--` and an added `++` line, but a hunk follows the header of a file.
 */
function endsHere(lines: readonly string[], i: number): boolean {
  // A line `-- ` begins the signature of a mail with a patch, which contains only the version of git.
  if (lines[i] === '-- ') return /^[\d.]+|^$/.test(lines[i + 1] ?? '')
  return (
    lines[i]?.startsWith('--- ') === true &&
    lines[i + 1]?.startsWith('+++ ') === true &&
    lines[i + 2]?.startsWith('@@') === true
  )
}

/**
 * Adds one line to the body; a line with `\` at its start only removes the line end of the previous one.
 * Returns false if the line cannot be part of a hunk.
 */
function addLine(body: HunkBody, line: string): boolean {
  if (line.startsWith('\\')) {
    const last = body.lines.at(-1)
    if (last) last.text = last.text.replace(/\n$/, '')
  } else if (withoutCr(line) === '') {
    // an editor that removes trailing spaces converts a blank line of context to this
    body.lines.push({ op: ' ', text: `${line}\n` })
  } else {
    const op = line[0]
    if (op !== ' ' && op !== '+' && op !== '-') return false
    body.lines.push({ op, text: `${line.slice(1)}\n` })
  }
  body.next++
  return true
}

export const withoutCr = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)
