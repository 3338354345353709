// The text in the editor that was not sent (the draft), stored in one file per thread.
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { checksum } from '../../base/checksum.ts'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { readSmall } from '../../base/files/open-file.ts'

export interface DraftFile {
  /** Returns the stored draft; empty without one. */
  load(): string
  /**
   * Stores the text within a second, even while the user keeps typing. A text that has not
   * changed is ignored.
   */
  change(text: string): void
  /** Writes the text that is not stored yet. Never rejects, because a lost draft must not end a session. */
  flush(): Promise<void>
}

const saveAfterMs = 1_000
/** Time in milliseconds before a failed write is tried again, because the directory may become writable. */
const retryAfterMs = 5_000

/**
 * Opens the draft of a thread. `directory` is the data directory of Anode, `cwd` the directory of the
 * session. `failed` is called for the first of consecutive failed writes.
 */
export function openDraftFile(
  directory: string,
  thread: string,
  { cwd, failed }: { cwd: string; failed?: (error: unknown) => void },
): DraftFile {
  const folder = join(directory, 'drafts')
  const start = startOf(thread)
  const written = listNames(folder).find((name) => name.startsWith(start) && name.endsWith('.txt'))
  const path = join(folder, written ?? start + endOf(cwd))
  let draftText = ''
  let unsaved: string | undefined
  let hasFailed = false
  let timer: NodeJS.Timeout | undefined
  let last: Promise<void> = Promise.resolve()
  // The process may end before the timer, by a bug or a second signal, so the draft is also written
  // at its exit.
  const keepNow = () => keepDraft(folder, path, unsaved ?? '')
  const save = () => {
    clearTimeout(timer)
    timer = undefined
    if (unsaved === undefined) return last
    const text = unsaved
    last = last
      .then(() => writeDraft(folder, path, text))
      .then(
        () => {
          hasFailed = false
          if (unsaved === text) forget()
        },
        (error: unknown) => {
          if (!hasFailed) failed?.(error)
          hasFailed = true
          timer ??= setTimeout(save, retryAfterMs).unref()
        },
      )
    return last
  }
  const forget = () => {
    unsaved = undefined
    process.off('exit', keepNow)
  }
  return {
    load: () => {
      draftText = readDraft(path)
      return draftText
    },
    change(text) {
      if (text === draftText) return
      draftText = text
      if (unsaved === undefined) process.on('exit', keepNow)
      unsaved = text
      timer ??= setTimeout(save, saveAfterMs)
    },
    flush: save,
  }
}

/**
 * Returns the beginning of the file name for a thread's draft. Dots are escaped, so that the name cannot
 * leave the directory.
 */
const startOf = (thread: string) => `${encodeURIComponent(thread).replaceAll('.', '%2E')}.`
const endOf = (cwd: string) => `${checksum(cwd)}.txt`

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

interface KeptDraft {
  thread: string
  path: string
  /** Time at which the draft was saved, in milliseconds since 1970. */
  savedAt: number
}

/** Returns the stored drafts of all threads in `cwd`, oldest first. */
export function listDrafts(directory: string, cwd: string): KeptDraft[] {
  const folder = join(directory, 'drafts')
  const end = `.${endOf(cwd)}`
  const drafts = listNames(folder).flatMap((name) => {
    const path = join(folder, name)
    const savedAt = name.endsWith(end) ? statSync(path, { throwIfNoEntry: false })?.mtimeMs : undefined
    return savedAt === undefined
      ? []
      : { thread: decodeURIComponent(name.slice(0, -end.length)), path, savedAt }
  })
  return drafts.sort((a, b) => a.savedAt - b.savedAt)
}

const maxOtherDrafts = 20

/**
 * Returns the latest drafts of other threads in the directory `cwd`, at most 20, oldest first. Without them,
 * a draft of a thread that never started would be lost.
 */
export function readOtherDrafts(directory: string, thread: string, cwd: string): string[] {
  const others = listDrafts(directory, cwd).filter((draft) => draft.thread !== thread)
  return others.slice(-maxOtherDrafts).flatMap(({ path }) => readDraft(path) || [])
}

function readDraft(path: string): string {
  try {
    return readSmall(path, statSync(path).size) ?? ''
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
    makeDirectory(folder, 0o700)
    writeFileSync(part, text, { mode: 0o600, flag: 'wx' })
    renameSync(part, path)
  } catch {
    // the process is exiting, so nothing more can be done
  }
}

async function writeDraft(folder: string, path: string, text: string): Promise<void> {
  if (text.trim() === '') return await rm(path, { force: true })
  makeDirectory(folder, 0o700)
  await writeAtomic(path, Buffer.from(text), { mode: 0o600 })
}
