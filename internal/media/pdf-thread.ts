// Worker thread that reads PDF files. It is reused for another file if it has read the previous one
// to its end.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { pdfThreadScript } from './pdf-thread-script.ts'

/** A run of characters at its position on the page; lengths are in points, `y` grows upward. */
export interface PdfTextRun {
  text: string
  x: number
  y: number
  width: number
  height: number
  endsLine: boolean
}

/** Pixels of an image on a page, row by row, with 1, 3 or 4 bytes each. */
export interface PdfPicture {
  page: number
  width: number
  height: number
  channels: 1 | 3 | 4
  pixels: Uint8Array
}

/**
 * A message of the thread. The first one describes the file, the next ones contain its pages and images, and
 * the last one is `end` or `failed`. For a file that cannot be opened, `failed` is the only one.
 */
export type PdfMessage =
  | { kind: 'file'; pages: number; title?: string; created?: string }
  /** `lost` tells why a part of the page's text is missing after an error that the library has skipped. */
  | { kind: 'page'; runs: PdfTextRun[]; lost?: string }
  | { kind: 'picture'; picture: PdfPicture }
  /** Images of a page that could not be read, and why; `count` is 0 if their number is unknown. */
  | { kind: 'unread'; count: number; why: string }
  | { kind: 'end' }
  | { kind: 'failed'; locked: boolean; message: string }

/**
 * Number of files after which a thread is replaced, because the memory that each file leaves behind adds up.
 */
const maxFiles = 50
/** Milliseconds of idle time after which the thread ends. */
const idleMs = 2_000

let idleThread: Worker | undefined
let idle: NodeJS.Timeout | undefined
const readFiles = new WeakMap<Worker, number>()

/**
 * Returns a thread that only this caller uses, for one file. The process stays alive until the thread is
 * kept or ended.
 */
export function takePdfThread(): Worker {
  clearTimeout(idle)
  const thread = idleThread ?? startThread()
  idleThread = undefined
  readFiles.set(thread, (readFiles.get(thread) ?? 0) + 1)
  thread.ref()
  return thread
}

/**
 * Keeps an idle thread for the next file, for at most 2 seconds, and does not keep the process alive. Ends
 * the thread instead if it has read 50 files or another one is kept.
 */
export function keepPdfThread(thread: Worker): void {
  if (idleThread || (readFiles.get(thread) ?? 0) >= maxFiles) {
    void endPdfThread(thread)
    return
  }
  idleThread = thread
  thread.unref()
  idle = setTimeout(() => {
    if (idleThread) void endPdfThread(idleThread)
    idleThread = undefined
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
    if (idleThread === thread) idleThread = undefined
  })
  return thread
}

/**
 * Returns the paths of the library: next to the bundle, which contains an adapted copy, else
 * the installed package.
 */
function libraryParts() {
  const here = dirname(fileURLToPath(import.meta.url))
  const built = [here, join(here, '..')].find((dir) => existsSync(join(dir, 'pdfjs.cjs.br')))
  if (built !== undefined)
    return {
      packedLibrary: join(built, 'pdfjs.cjs.br'),
      tables: join(built, 'cmaps.bin.br'),
    }
  const { resolve } = createRequire(import.meta.url)
  return {
    library: pathToFileURL(join(dirname(resolve('unpdf')), 'pdfjs.mjs')).href,
    characters: `${join(dirname(resolve('pdfjs-dist/package.json')), 'cmaps')}/`,
    patch: pathToFileURL(join(here, 'pdf-library.mjs')).href,
  }
}
