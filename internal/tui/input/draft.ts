// The text that a person has not sent yet, kept in a file of its thread.
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from '../../base/errors.ts'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import { readSmall } from '../../base/files/small-file.ts'

export interface DraftFile {
  /** What was kept; empty where nothing was. */
  load(): string
  /** Kept within a second, however long the person goes on typing. The same text again changes nothing. */
  change(text: string): void
  /** Writes what was not written yet. Never throws: a draft is no reason to end a session. */
  flush(): Promise<void>
}

const saveAfterMs = 1_000
/** A folder that takes nothing may take it later. */
const retryAfterMs = 5_000

export const draftPath = (directory: string, thread: string): string =>
  join(directory, 'drafts', `${encodeURIComponent(thread).replaceAll('.', '%2E')}.txt`)

/**
 * `directory` is the data directory of the program. `kept` runs after a text was written, and fails with it;
 * `failed` is told once of texts that cannot be kept.
 */
export function openDraftFile(
  directory: string,
  thread: string,
  { kept, failed }: { kept?: () => Promise<void>; failed?: (error: unknown) => void } = {},
): DraftFile {
  const path = draftPath(directory, thread)
  const folder = dirname(path)
  let known = ''
  let unsaved: string | undefined
  let hasFailed = false
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
      .then(kept)
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
      try {
        known = readSmall(path, statSync(path).size) ?? ''
      } catch {
        known = ''
      }
      return known
    },
    change(text) {
      if (text === known) return
      known = text
      if (unsaved === undefined) process.on('exit', keepNow)
      unsaved = text
      timer ??= setTimeout(save, saveAfterMs)
    },
    flush: save,
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
