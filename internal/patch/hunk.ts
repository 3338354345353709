// Reads one hunk of a unified diff: by the counts of its header when they are right, else by what follows it.
import { badPatch, type Hunk, type HunkLine, strayLineHint } from './patch.ts'

interface Body {
  lines: HunkLine[]
  /** Index of the line behind it. */
  next: number
}

/** `lines` are without LF; `at` is the index of the header. Throws FailureError `bad_patch`. */
export function readHunk(lines: readonly string[], at: number, number: number): { hunk: Hunk; next: number } {
  const header = clean(lines[at] as string)
  if (header.startsWith('@@@')) throw badPatch('a combined diff of a merge cannot be applied', at + 1)
  const m = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(header)
  const counted = m ? readCounted(lines, at + 1, Number(m[2] ?? 1), Number(m[3] ?? 1)) : undefined
  const body = counted ?? readUncounted(lines, at + 1)
  if (body.lines.length === 0) throw badPatch('the hunk is empty', at + 1)
  const hunk: Hunk = { number, header, anchors: [], atEnd: false, lines: body.lines }
  // with no old lines the number is that of the line before
  if (m) hunk.start = Number(m[1]) + (body.lines.every(({ op }) => op === '+') ? 1 : 0)
  return { hunk, next: body.next }
}

/** The body as its header counts it; undefined when the counts do not fit what is there. */
function readCounted(lines: readonly string[], from: number, old: number, fresh: number): Body | undefined {
  const body: Body = { lines: [], next: from }
  let olds = 0
  let news = 0
  while (olds < old || news < fresh) {
    const line = lines[body.next]
    const before = body.lines.length
    if (line === undefined || !take(body, line)) return undefined
    if (body.lines.length === before) continue
    const op = body.lines[before]?.op
    if (op !== '+') olds++
    if (op !== '-') news++
    if (olds > old || news > fresh) return undefined
  }
  if (lines[body.next]?.startsWith('\\')) take(body, lines[body.next] as string)
  const next = lines[body.next]
  const more = next !== undefined && /^[ +\\-]/.test(next) && !endsHere(lines, body.next)
  return more ? undefined : body
}

/** The body up to the next header. Blank lines at its end are taken for blank lines of the patch. */
function readUncounted(lines: readonly string[], from: number): Body {
  const body: Body = { lines: [], next: from }
  let blank = 0
  for (let line = lines[from]; line !== undefined; line = lines[body.next]) {
    if (/^(@@|diff |Index: |=+$)/.test(line) || endsHere(lines, body.next)) break
    if (!take(body, line)) {
      throw badPatch(
        `${JSON.stringify(line.slice(0, 80))} is not part of a hunk`,
        body.next + 1,
        strayLineHint,
      )
    }
    blank = clean(line) === '' ? blank + 1 : 0
  }
  body.lines.length -= blank
  return body
}

/** `---` and `+++` may also be a removed `--` and an added `++` line; behind a file's header comes a hunk. */
function endsHere(lines: readonly string[], i: number): boolean {
  // the signature of a mail: git's version is all that follows
  if (lines[i] === '-- ') return /^[\d.]+|^$/.test(lines[i + 1] ?? '')
  return (
    lines[i]?.startsWith('--- ') === true &&
    lines[i + 1]?.startsWith('+++ ') === true &&
    lines[i + 2]?.startsWith('@@') === true
  )
}

/** Adds one line to the body; false when it cannot be one. */
function take(body: Body, line: string): boolean {
  if (line.startsWith('\\')) {
    const last = body.lines.at(-1)
    if (last) last.text = last.text.replace(/\n$/, '')
  } else if (clean(line) === '') {
    // an editor that strips trailing blanks makes this of a blank line of context
    body.lines.push({ op: ' ', text: `${line}\n` })
  } else {
    const op = line[0]
    if (op !== ' ' && op !== '+' && op !== '-') return false
    body.lines.push({ op, text: `${line.slice(1)}\n` })
  }
  body.next++
  return true
}

const clean = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)
