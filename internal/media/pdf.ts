// Pages of a PDF as placed text, read in a thread of its own that is ended when it takes too much.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { defined } from '../base/defined.ts'

/** A run of characters where the page shows it; lengths are in points, `y` grows upwards. */
export interface PdfTextRun {
  text: string
  x: number
  y: number
  width: number
  height: number
  endsLine: boolean
}

/** A file as far as it was read, `runs` by page from the first. */
export interface PdfPages {
  pages: number
  title?: string
  /** As the file writes it: `D:20240131120000Z`. */
  created?: string
  runs: PdfTextRun[][]
  /** Why not all pages were read, where no limit of pages or characters says it. */
  stopped?: string
}

interface Pdf {
  pages: number
  title: string | undefined
  /** Pages whose text is in `text`, from the first. */
  read: number
  /** Pages in order, each under a line `--- page N ---`. */
  text: string
}

interface PdfLimits {
  chars: number
  pages: number
  ms: number
  /** By how much reading may make this process grow, in bytes. */
  memory?: number
  signal: AbortSignal
}

const mib = 1_048_576
const maxMemoryBytes = 300 * mib
/** How often memory is looked at: a stream that unpacks itself grows by some 100 MiB a second. */
const memoryPollMs = 20
/** More filters in a row than this pack one bomb into another. */
const maxFilters = 6

/** What the thread says: the facts of the file, then each page. */
type PdfMessage =
  | { kind: 'file'; pages: number; title?: string; created?: string }
  | { kind: 'page'; runs: PdfTextRun[] }
  | { kind: 'end' }
  | { kind: 'failed'; locked: boolean; message: string }

/** In the thread; it is given to it as text, so that it needs no file of its own. */
const script = `
const { parentPort, workerData } = require('node:worker_threads')
const { bytes, library, limits } = workerData
const say = (said) => parentPort.postMessage(said)
const named = (value) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)
async function read() {
  const { getDocument } = await import(library)
  // verbosity 0 keeps it off the console
  const options = { data: bytes, verbosity: 0, isEvalSupported: false, useSystemFonts: true }
  const file = await getDocument(options).promise
  const info = (await file.getMetadata().catch(() => undefined))?.info
  say({ kind: 'file', pages: file.numPages, title: named(info?.Title), created: named(info?.CreationDate) })
  for (let n = 1, chars = 0; n <= Math.min(file.numPages, limits.pages) && chars < limits.chars; n++) {
    const page = await file.getPage(n)
    const { items } = await page.getTextContent()
    page.cleanup()
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
  }
  say({ kind: 'end' })
}
read().catch((error) => {
  const message = String(error instanceof Error ? error.message : error).split('\\n')[0]
  say({ kind: 'failed', locked: error?.name === 'PasswordException', message })
})
`

/**
 * Text of the pages until a limit is reached; the page that reaches it is cut. What was read in time and
 * within the memory counts. A string says why there is nothing. This thread is never held up.
 */
export async function readPdf(bytes: Uint8Array, limits: PdfLimits): Promise<Pdf | string> {
  const found = await readPdfPages(bytes, limits)
  if (typeof found === 'string') return found
  const pdf: Pdf = { pages: found.pages, title: found.title, read: 0, text: '' }
  for (const runs of found.runs) addPage(pdf, runs, limits.chars)
  return pdf
}

/** The same as placed text. */
export async function readPdfPages(bytes: Uint8Array, limits: PdfLimits): Promise<PdfPages | string> {
  if (limits.signal.aborted) return 'it was cancelled'
  if (filtersIn(bytes) > maxFilters) return `it packs a stream more than ${maxFilters} times`
  const library = pathToFileURL(libraryFile()).href
  const { signal: _, ...plain } = limits
  // a copy, because the reader takes the buffer over; handed on, so that there is one of it
  const copy = Uint8Array.from(bytes)
  const thread = new Worker(script, {
    eval: true,
    workerData: { bytes: copy, library, limits: plain },
    transferList: [copy.buffer],
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    stdout: true,
    stderr: true,
    env: {},
  })
  let pdf: PdfPages | undefined
  const why = await new Promise<string | undefined>((resolve) => {
    const take = (message: PdfMessage) => {
      if (message.kind === 'file') {
        const { pages, title, created } = message
        pdf = { pages, ...defined({ title, created }), runs: [] }
      } else if (message.kind === 'page') pdf?.runs.push(message.runs)
      else if (message.kind === 'end') resolve(undefined)
      else resolve(message.locked ? 'it is protected by a password' : `it cannot be read: ${message.message}`)
    }
    thread.on('message', take)
    thread.once('error', (error) => resolve(`it cannot be read: ${error.message.split('\n')[0]}`))
    thread.once('exit', () => resolve('it cannot be read'))
    const endWatch = watch(limits, resolve)
    const stop = () => resolve('it was cancelled')
    limits.signal.addEventListener('abort', stop, { once: true })
    thread.once('exit', () => {
      endWatch()
      limits.signal.removeEventListener('abort', stop)
    })
  })
  await thread.terminate()
  if (why === undefined) return pdf as PdfPages
  return pdf && pdf.runs.length > 0 ? { ...pdf, stopped: why } : why
}

/** Beside the running bundle first, then among the installed packages. */
function libraryFile(from: string = import.meta.url): string {
  const here = dirname(fileURLToPath(from))
  const beside = [join(here, 'pdfjs.mjs'), join(here, '..', 'pdfjs.mjs')].find((file) => existsSync(file))
  return beside ?? join(dirname(createRequire(from).resolve('unpdf')), 'pdfjs.mjs')
}

/** Calls `over` when time or memory is used up, until what it returns is called. */
function watch({ ms, memory = maxMemoryBytes }: PdfLimits, over: (why: string) => void): () => void {
  const began = performance.now()
  const before = process.memoryUsage.rss()
  const timer = setInterval(() => {
    const grown = process.memoryUsage.rss() - before > memory
    const late = performance.now() - began > ms
    if (!grown && !late) return
    clearInterval(timer)
    over(grown ? `it needs more than ${Math.round(memory / mib)} MiB` : `it takes longer than ${ms / 1000} s`)
  }, memoryPollMs)
  timer.unref()
  return () => clearInterval(timer)
}

function addPage(pdf: Pdf, runs: readonly PdfTextRun[], chars: number): void {
  pdf.read++
  const text = runs.map((run) => run.text + (run.endsLine ? '\n' : '')).join('')
  const page = `${pdf.text === '' ? '' : '\n'}--- page ${pdf.read} ---\n${text.trim()}\n`
  pdf.text = (pdf.text + page).slice(0, chars)
}

/** The most filters that one stream of the file names. */
function filtersIn(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const lists = [...text.matchAll(/\/F(?:ilter)?\s*\[([^\]]{0,65536})\]?/g)]
  return Math.max(0, ...lists.map(([, list = '']) => list.split('/').length - 1))
}
