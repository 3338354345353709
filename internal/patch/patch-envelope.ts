// Parser of the `*** Begin Patch` envelope, in which hunks are found by their context only.
import { badPatch, type FilePatch, type Hunk, strayLineHint } from './patch.ts'

const marker = /^\s*\*\*\* (Add File|Delete File|Update File|Move to): *(.*)$/

/** Returns whether the text begins like an envelope. */
export function isEnvelope(text: string): boolean {
  return /^\s*\*\*\* Begin Patch\s*\n/.test(text)
}

/**
 * Parses an envelope, which ends with `*** End Patch`. Throws FailureError `bad_patch` if it is invalid or
 * text follows it.
 */
export function readEnvelope(text: string): FilePatch[] {
  const lines = text.trim().replaceAll('\r\n', '\n').split('\n')
  const skipped = text.slice(0, text.length - text.trimStart().length).split('\n').length
  const files: FilePatch[] = []
  const end = findEnd(lines)
  if (end < 0) throw badPatch('`*** End Patch` is missing', undefined, 'The patch may have been cut off.')
  if (lines.slice(end + 1).some((line) => line.trim() !== '')) {
    throw badPatch('there is text behind `*** End Patch`', end + 1 + skipped)
  }
  for (let i = 1; i < end; ) {
    const line = (lines[i] as string).trimEnd()
    const [, verb, path] = marker.exec(line) ?? []
    if (line === '') {
      i++
      continue
    }
    if (verb === undefined || path === undefined || verb === 'Move to') {
      const hint = 'Each part begins with `*** Add File: `, `*** Update File: ` or `*** Delete File: `.'
      throw badPatch(`${JSON.stringify(line.slice(0, 80))} begins no part`, i + skipped, hint)
    }
    if (path === '') throw badPatch('a file name is missing', i + skipped)
    let stop = i + 1
    while (stop < end && !isPartHeader(lines[stop] as string, verb)) stop++
    files.push(readPart(verb, path, lines.slice(i + 1, stop), i + 1 + skipped))
    i = stop
  }
  if (files.length === 0) throw badPatch('it changes no file')
  return files
}

/**
 * Returns whether a line is the header of a file. Spaces may precede it, except after hunks, where they start
 * a line of context.
 */
function isPartHeader(line: string, verb: string): boolean {
  return (
    verb === 'Update File' ? /^\*\*\* (Add|Delete|Update) File:/ : /^\s*\*\*\* (Add|Delete|Update) File:/
  ).test(line)
}

/**
 * Returns the index of the line that ends the patch, or -1. Spaces may precede it only if no text follows.
 */
function findEnd(lines: readonly string[]): number {
  const exact = lines.findIndex((line) => line.trimEnd() === '*** End Patch')
  return exact < 0 && lines.at(-1)?.trim() === '*** End Patch' ? lines.length - 1 : exact
}

/**
 * Parses the body of one file: the lines after its header. `verb` is the word of the header, such as `Add
 * File`. `line` is the number of the first line of the body in the whole input. Throws FailureError
 * `bad_patch` if the body is invalid.
 */
function readPart(verb: string, path: string, body: readonly string[], line: number): FilePatch {
  if (verb === 'Delete File') {
    if (body.some((text) => text.trim() !== ''))
      throw badPatch(`${path} is deleted and needs no content`, line)
    return { kind: 'delete', path, hunks: [], blind: true }
  }
  if (verb === 'Add File') {
    const content = withoutBlankEnd(body)
    const wrong = content.findIndex((text) => !text.startsWith('+'))
    if (wrong >= 0) throw badPatch('each line of an added file begins with +', line + wrong)
    const lines = content.map((text) => ({ op: '+' as const, text: `${text.slice(1)}\n` }))
    const hunk: Hunk = { number: 1, header: '*** Add File', start: 1, anchors: [], atEnd: true, lines }
    return { kind: 'create', path, hunks: lines.length > 0 ? [hunk] : [], blind: true }
  }
  const to = marker.exec((body[0] ?? '').trimEnd())
  const moved = to?.[1] === 'Move to' ? to[2] : undefined
  if (moved === '') throw badPatch('a file name is missing', line)
  const skip = moved === undefined ? 0 : 1
  const hunks = readHunks(body.slice(skip), line + skip)
  if (hunks.length === 0 && moved === undefined) throw badPatch(`nothing is changed in ${path}`, line)
  return moved === undefined
    ? { kind: 'modify', path, hunks, blind: true }
    : { kind: 'rename', path: moved, from: path, hunks, blind: true }
}

function readHunks(body: readonly string[], line: number): Hunk[] {
  const hunks: Hunk[] = []
  const open = (header: string): Hunk => {
    const hunk: Hunk = { number: hunks.length + 1, header, anchors: [], atEnd: false, lines: [] }
    hunks.push(hunk)
    return hunk
  }
  for (const [i, text] of withoutBlankEnd(body).entries()) {
    const hunk = hunks.at(-1)
    if (text === '@@' || text.startsWith('@@ ')) {
      // Several anchors in a row narrow the position, from the outermost block to the innermost.
      const target = hunk && hunk.lines.length === 0 ? hunk : open(text)
      const anchor = text.slice(3).trimEnd()
      if (anchor !== '' && !/^-\d+(,\d+)? \+\d+(,\d+)? @@/.test(anchor)) target.anchors.push(anchor)
    } else if (text.trimEnd() === '*** End of File') {
      if (hunk) hunk.atEnd = true
    } else {
      const op = text === '' ? ' ' : text[0]
      if (op !== ' ' && op !== '+' && op !== '-') {
        throw badPatch(`${JSON.stringify(text.slice(0, 80))} is not part of a hunk`, line + i, strayLineHint)
      }
      const target = hunk ?? open('the first hunk')
      target.lines.push({ op, text: `${text.slice(1)}\n` })
    }
  }
  for (const hunk of hunks) {
    // a hunk that only adds lines applies after its anchor, or at the end of the file without an anchor
    if (hunk.anchors.length === 0 && hunk.lines.every(({ op }) => op === '+')) hunk.atEnd = true
  }
  const empty = hunks.find((hunk) => hunk.lines.length === 0)
  if (empty) throw badPatch(`hunk ${empty.number} is empty`, line)
  return hunks
}

function withoutBlankEnd(lines: readonly string[]): string[] {
  const keptLines = [...lines]
  while (keptLines.at(-1) === '') keptLines.pop()
  return keptLines
}
