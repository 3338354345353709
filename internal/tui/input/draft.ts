// The text that a person has not sent yet, kept in a file of its thread.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
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

/** `directory` is the data directory of the program. */
export function openDraftFile(directory: string, thread: string): DraftFile {
  const folder = join(directory, 'drafts')
  const path = join(folder, `${encodeURIComponent(thread).replaceAll('.', '%2E')}.txt`)
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
    load: () => {
      try {
        return readSmall(path) ?? ''
      } catch {
        return ''
      }
    },
    change(text) {
      if (unsaved === undefined) process.on('exit', keepNow)
      unsaved = text
      clearTimeout(timer)
      timer = setTimeout(save, saveAfterMs)
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
