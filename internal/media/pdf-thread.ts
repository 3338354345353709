// The thread that PDF files are read in: kept for the next file where one was read to its end.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'

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
  | { kind: 'page'; runs: PdfTextRun[] }
  | { kind: 'picture'; picture: PdfPicture }
  | { kind: 'end' }
  | { kind: 'failed'; locked: boolean; message: string }

/** In the thread; it is given to it as text, so that it needs no file of its own. */
const script = `
const { parentPort, workerData } = require('node:worker_threads')
const say = (said) => parentPort.postMessage(said)
const named = (value) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)
async function read({ bytes, limits }) {
  const { getDocument, OPS } = await import(workerData.library)
  // verbosity 0 keeps it off the console
  const options = { data: bytes, verbosity: 0, isEvalSupported: false, useSystemFonts: true }
  // pictures come as pixels
  options.isOffscreenCanvasSupported = false
  const loading = getDocument(options)
  const file = await loading.promise
  const info = (await file.getMetadata().catch(() => undefined))?.info
  say({ kind: 'file', pages: file.numPages, title: named(info?.Title), created: named(info?.CreationDate) })
  for (let n = 1, chars = 0; n <= Math.min(file.numPages, limits.pages) && chars < limits.chars; n++) {
    const page = await file.getPage(n)
    const { items } = await page.getTextContent()
    const runs = []
    let length = 0
    for (const { str, transform, width, height, hasEOL } of items) {
      const text = (str ?? '').slice(0, limits.chars - length)
      const [, , , , x, y] = transform ?? [0, 0, 0, 0, 0, 0]
      runs.push({ text, x, y, width: width ?? 0, height: height ?? 0, endsLine: hasEOL === true })
      length += text.length + (hasEOL ? 1 : 0)
      if (length >= limits.chars) break
    }
    // as much as the page takes under its heading
    chars += (n > 1 ? 1 : 0) + ('--- page ' + n + ' ---').length + length + 2
    say({ kind: 'page', runs })
    if (limits.pictures > 0) limits.pictures -= await sendPictures(page, n, limits, OPS)
    page.cleanup()
  }
  await loading.destroy()
  say({ kind: 'end' })
}
async function sendPictures(page, n, limits, OPS) {
  const { fnArray, argsArray } = await page.getOperatorList()
  const shown = argsArray.filter((_, i) => fnArray[i] === OPS.paintImageXObject)
  const names = new Set(shown.map(([name]) => name))
  let sent = 0
  for (const name of names) {
    if (sent >= limits.pictures) break
    const store = name.startsWith('g_') ? page.commonObjs : page.objs
    const found = await new Promise((resolve) => store.get(name, resolve))
    const { width, height, data } = found ?? {}
    const channels = data ? data.length / (width * height) : 0
    if (![1, 3, 4].includes(channels) || data.length > limits.pictureBytes) continue
    limits.pictureBytes -= data.length
    const picture = { page: n, width, height, channels, pixels: Uint8Array.from(data) }
    parentPort.postMessage({ kind: 'picture', picture }, [picture.pixels.buffer])
    sent++
  }
  return sent
}
parentPort.on('message', (asked) => read(asked).catch((error) => {
  const message = String(error instanceof Error ? error.message : error).split('\\n')[0]
  say({ kind: 'failed', locked: error?.name === 'PasswordException', message })
}))
`

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
  const thread = new Worker(script, {
    eval: true,
    workerData: { library: pathToFileURL(libraryFile()).href },
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

/** Beside the running bundle first, then among the installed packages. */
function libraryFile(from: string = import.meta.url): string {
  const here = dirname(fileURLToPath(from))
  const beside = [join(here, 'pdfjs.mjs'), join(here, '..', 'pdfjs.mjs')].find((file) => existsSync(file))
  return beside ?? join(dirname(createRequire(from).resolve('unpdf')), 'pdfjs.mjs')
}
