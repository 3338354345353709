// The thread that PDF files are read in: kept for the next file where one was read to its end.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { pdfThreadScript } from './pdf-thread-script.ts'

/** A run of characters where the page shows it; lengths are in points, `y` grows upwards. */
export interface PdfTextRun {
  text: string
  x: number
  y: number
  width: number
  height: number
  endsLine: boolean
}

/** Pixels of a picture that a page shows, row by row, with 1, 3 or 4 bytes each. */
export interface PdfPicture {
  page: number
  width: number
  height: number
  channels: 1 | 3 | 4
  pixels: Uint8Array
}

/** What the thread says: the facts of the file, then each page. */
export type PdfMessage =
  | { kind: 'file'; pages: number; title?: string; created?: string }
  /** `lost`: why a part of its text is missing, where the reader has passed over an error. */
  | { kind: 'page'; runs: PdfTextRun[]; lost?: string }
  | { kind: 'picture'; picture: PdfPicture }
  /** Images of a page that could not be read, and why; `count` is 0 if their number is unknown. */
  | { kind: 'unread'; count: number; why: string }
  | { kind: 'end' }
  | { kind: 'failed'; locked: boolean; message: string }

/** What files leave behind in a thread adds up. */
const maxFiles = 50
/** Then nobody seems to read any more of them. */
const idleMs = 2_000

let kept: Worker | undefined
let idle: NodeJS.Timeout | undefined
const readFiles = new WeakMap<Worker, number>()

/** For one file, by one caller. Its process stays until the thread is kept or ended. */
export function takePdfThread(): Worker {
  clearTimeout(idle)
  const thread = kept ?? startThread()
  kept = undefined
  readFiles.set(thread, (readFiles.get(thread) ?? 0) + 1)
  thread.ref()
  return thread
}

/** For the next file; only a thread that has nothing left to do. It holds no process up. */
export function keepPdfThread(thread: Worker): void {
  if (kept || (readFiles.get(thread) ?? 0) >= maxFiles) {
    void endPdfThread(thread)
    return
  }
  kept = thread
  thread.unref()
  idle = setTimeout(() => {
    if (kept) void endPdfThread(kept)
    kept = undefined
  }, idleMs)
  idle.unref()
}

export const endPdfThread = (thread: Worker): Promise<number> => thread.terminate()

function startThread(): Worker {
  const thread = new Worker(pdfThreadScript, {
    eval: true,
    workerData: libraryParts(),
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    stdout: true,
    stderr: true,
    env: {},
  })
  thread.once('exit', () => {
    if (kept === thread) kept = undefined
  })
  return thread
}

/** Next to the running bundle, where it is changed already; else among the installed packages. */
function libraryParts(from: string = import.meta.url) {
  const here = dirname(fileURLToPath(from))
  const built = [here, join(here, '..')].find((dir) => existsSync(join(dir, 'pdfjs.mjs')))
  if (built !== undefined)
    return {
      library: pathToFileURL(join(built, 'pdfjs.mjs')).href,
      characters: `${join(built, 'cmaps')}/`,
    }
  const { resolve } = createRequire(from)
  return {
    library: pathToFileURL(join(dirname(resolve('unpdf')), 'pdfjs.mjs')).href,
    characters: `${join(dirname(resolve('pdfjs-dist/package.json')), 'cmaps')}/`,
    patch: pathToFileURL(join(here, 'pdf-library.mjs')).href,
  }
}
