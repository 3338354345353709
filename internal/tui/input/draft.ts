// The text that a person has not sent yet, kept in a file of its thread.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { checksum } from '../../base/checksum.ts'
import { codeOf } from '../../base/errors.ts'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import { readSmall } from '../../base/files/small-file.ts'

export interface DraftFile {
  /** What was kept; empty where nothing was. */
  load(): string
  /** Kept a second after the last change. */
  change(text: string): void
  /** Writes what was not written yet. Never throws: a draft is no reason to end a session. */
  flush(): Promise<void>
}

const saveAfterMs = 1_000

/** `directory` is the data directory of the program, `cwd` the one in which the text was written. */
export function openDraftFile(directory: string, thread: string, cwd: string): DraftFile {
  const folder = join(directory, 'drafts')
  const start = startOf(thread)
  const known = listNames(folder).find((name) => name.startsWith(start) && name.endsWith('.txt'))
  const path = join(folder, known ?? start + endOf(cwd))
  let unsaved: string | undefined
  let timer: NodeJS.Timeout | undefined
  let last: Promise<void> = Promise.resolve()
  // the program may end before, by a bug or a second signal
  const keepNow = () => keepDraft(folder, path, unsaved ?? '')
  const save = () => {
    clearTimeout(timer)
    timer = undefined
    if (unsaved === undefined) return last
    const text = unsaved
    last = last
      .then(() => writeDraft(folder, path, text))
      .catch(() => undefined)
      .then(() => {
        if (unsaved === text) forget()
      })
    return last
  }
  const forget = () => {
    unsaved = undefined
    process.off('exit', keepNow)
  }
  return {
    load: () => readDraft(path),
    change(text) {
      if (unsaved === undefined) process.on('exit', keepNow)
      unsaved = text
      clearTimeout(timer)
      timer = setTimeout(save, saveAfterMs)
    },
    flush: save,
  }
}

/** No thread has a dot in it, which would lead elsewhere. */
const startOf = (thread: string) => `${encodeURIComponent(thread).replaceAll('.', '%2E')}.`
const endOf = (cwd: string) => `${checksum(cwd)}.txt`

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const maxOtherDrafts = 20

/**
 * What was written in this directory for other threads and never sent, oldest first: a thread that had not
 * begun when its terminal went away is found by nobody.
 */
export function readOtherDrafts(directory: string, thread: string, cwd: string): string[] {
  const folder = join(directory, 'drafts')
  const own = startOf(thread)
  const files = listNames(folder)
    .filter((name) => name.endsWith(`.${endOf(cwd)}`) && !name.startsWith(own))
    .map((name) => join(folder, name))
    .map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
  const newest = files.sort((a, b) => a.at - b.at).slice(-maxOtherDrafts)
  return newest.flatMap(({ path }) => readDraft(path) || [])
}

function readDraft(path: string): string {
  try {
    return readSmall(path) ?? ''
  } catch {
    return ''
  }
}

function keepDraft(folder: string, path: string, text: string): void {
  const part = `${path}.${process.pid}.part`
  try {
    if (text.trim() === '') {
      rmSync(path, { force: true })
      return
    }
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(part, text, { mode: 0o600, flag: 'wx' })
    renameSync(part, path)
  } catch {
    // nothing can be done for it any more
  }
}

async function writeDraft(folder: string, path: string, text: string): Promise<void> {
  if (text.trim() === '') return await rm(path, { force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  await writeAtomic(path, Buffer.from(text), { mode: 0o600 })
}
