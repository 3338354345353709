// Reader of PDF pages as positioned text, in a thread that is ended when it exceeds its limits.
import {
  endPdfThread,
  keepPdfThread,
  type PdfMessage,
  type PdfPicture,
  type PdfTextRun,
  takePdfThread,
} from './pdf-thread.ts'

/** The part of a file that was read; `runs` is by page from the first. */
export interface PdfPages {
  pages: number
  title?: string
  /** Date as the file writes it: `D:20240131120000Z`. */
  created?: string
  runs: PdfTextRun[][]
  /** Images in the order of the pages; empty if none were requested or read. */
  pictures: PdfPicture[]
  /** Images that were requested and could not be read. */
  unread?: UnreadPictures
  /** First page on which text is missing, with the library's reason. */
  lost?: { page: number; why: string }
  /** Reason why not all pages were read, other than a limit of pages or characters. */
  stopped?: string
}

/** Images that were not read; `count` is 0 if the number is unknown. */
export interface UnreadPictures {
  count: number
  why: string
}

interface PdfText {
  pages: number
  title: string | undefined
  /**
   * Number of pages that were read, counted from the first page. Their text is in `text`, up to the
   * limit of characters.
   */
  read: number
  /** Pages in order, each under a line `--- page N ---`. */
  text: string
  lost?: PdfPages['lost']
  unread?: UnreadPictures
  /** Requested images; missing if none was read. */
  pictures?: PdfPicture[]
}

interface PdfLimits {
  chars: number
  pages: number
  /** Limit of images. Default: 0. */
  pictures?: number
  ms: number
  /**
   * Largest number of bytes by which the memory of this process may grow while the file is read.
   * Default: 180 MiB.
   */
  memory?: number
  signal: AbortSignal
}

const mib = 1_048_576
/** Largest number of bytes of decoded pixels of all images of one file together. */
const pictureBytes = 64 * mib
const maxMemoryBytes = 180 * mib
/**
 * Largest processor time in milliseconds that this process may use while one page is read;
 * then reading stops.
 */
const maxPageCpuMs = 7_000
/** Milliseconds between memory checks. The memory for a decompression bomb grows by some 100 MiB a second. */
const memoryPollMs = 20
/**
 * Largest number of decompression filters in a row. A file with more is not read, because it could nest one
 * decompression bomb in another.
 */
const maxFilters = 6

/**
 * Returns the text of the pages up to the limits, or a string with the reason if no page could be read. The
 * page that reaches the limit of characters is cut. Pages read before an error, a cancellation or the limit
 * of time or memory are returned. A separate thread parses the file.
 */
export async function readPdf(bytes: Uint8Array, limits: PdfLimits): Promise<PdfText | string> {
  const pdfPages = await readPdfPages(bytes, limits)
  if (typeof pdfPages === 'string') return pdfPages
  const pdf: PdfText = {
    pages: pdfPages.pages,
    title: pdfPages.title,
    read: 0,
    text: '',
    lost: pdfPages.lost,
    unread: pdfPages.unread,
  }
  if (pdfPages.pictures.length > 0) pdf.pictures = pdfPages.pictures
  for (const runs of pdfPages.runs) addPage(pdf, runs, limits.chars)
  return pdf
}

/**
 * Returns the pages up to the limits as positioned text. Pages read before an error, a cancellation
 * or the limit of time or memory are returned with the reason in `stopped`; if no page could be read,
 * the reason alone.
 */
export async function readPdfPages(bytes: Uint8Array, limits: PdfLimits): Promise<PdfPages | string> {
  if (limits.signal.aborted) return 'it was cancelled'
  if (filtersIn(bytes) > maxFilters) return `it packs a stream more than ${maxFilters} times`
  const { chars, pages } = limits
  const thread = takePdfThread()
  let pdf: PdfPages | undefined
  const cleanUp: (() => void)[] = []
  const why = await new Promise<string | undefined>((resolve) => {
    const watching = watchLimits(limits, resolve)
    const take = (message: PdfMessage) => {
      watching.heard()
      if (message.kind === 'file') {
        const { pages: all, title, created } = message
        pdf = { pages: all, title, created, runs: [], pictures: [] }
      } else if (message.kind === 'page') pdf = pdf && addRuns(pdf, message)
      else if (message.kind === 'picture') pdf?.pictures.push(message.picture)
      else if (message.kind === 'unread') pdf = pdf && addUnread(pdf, message)
      else if (message.kind === 'end') resolve(undefined)
      else resolve(message.locked ? 'it is protected by a password' : `it cannot be read: ${message.message}`)
    }
    const fail = (error: Error) => resolve(`it cannot be read: ${error.message.split('\n')[0]}`)
    const exit = () => resolve('it cannot be read')
    const stop = () => resolve('it was cancelled')
    thread.on('message', take).once('error', fail).once('exit', exit)
    limits.signal.addEventListener('abort', stop, { once: true })
    cleanUp.push(watching.end, () => {
      thread.off('message', take).off('error', fail).off('exit', exit)
      limits.signal.removeEventListener('abort', stop)
    })
    // The thread takes over the buffer, so it gets a copy. The copy is transferred, so it does
    // not exist twice.
    const copy = Uint8Array.from(bytes)
    const { pictures = 0 } = limits
    thread.postMessage({ bytes: copy, limits: { chars, pages, pictures, pictureBytes } }, [copy.buffer])
  })
  for (const undo of cleanUp) undo()
  // Only a thread whose read has finished is reused, because another read may still be running in it.
  if (why === undefined) keepPdfThread(thread)
  else await endPdfThread(thread)
  if (why === undefined) return pdf as PdfPages
  return pdf && pdf.runs.length > 0 ? { ...pdf, stopped: why } : why
}

function addRuns(pdf: PdfPages, { runs, lost }: { runs: PdfTextRun[]; lost?: string }): PdfPages {
  pdf.runs.push(runs)
  if (lost === undefined || pdf.lost) return pdf
  return { ...pdf, lost: { page: pdf.runs.length, why: lost } }
}

function addUnread(pdf: PdfPages, { count, why }: UnreadPictures): PdfPages {
  return { ...pdf, unread: { count: (pdf.unread?.count ?? 0) + count, why: pdf.unread?.why ?? why } }
}

interface PdfWatch {
  /** Called for each message of the thread; the processor time of a page is counted from the last call. */
  heard(): void
  end(): void
}

/**
 * Calls `over` once with the reason when time or memory is used up, or one page takes too much processor
 * time. Watches until `end` is called.
 */
function watchLimits({ ms, memory = maxMemoryBytes }: PdfLimits, over: (why: string) => void): PdfWatch {
  const began = performance.now()
  const before = process.memoryUsage.rss()
  let cpu = process.cpuUsage()
  const reason = () => {
    if (process.memoryUsage.rss() - before > memory)
      return `it needs more than ${Math.round(memory / mib)} MiB`
    if (performance.now() - began > ms) return `it takes longer than ${ms / 1000} s`
    const { user, system } = process.cpuUsage(cpu)
    const isEndless = (user + system) / 1000 > maxPageCpuMs
    return isEndless ? `a page takes more than ${maxPageCpuMs / 1000} s` : undefined
  }
  const timer = setInterval(() => {
    const why = reason()
    if (why === undefined) return
    clearInterval(timer)
    over(why)
  }, memoryPollMs)
  timer.unref()
  return {
    heard() {
      cpu = process.cpuUsage()
    },
    end: () => clearInterval(timer),
  }
}

function addPage(pdf: PdfText, runs: readonly PdfTextRun[], chars: number): void {
  pdf.read++
  const text = runs.map((run) => run.text + (run.endsLine ? '\n' : '')).join('')
  const page = `${pdf.text === '' ? '' : '\n'}--- page ${pdf.read} ---\n${text.trim()}\n`
  pdf.text = (pdf.text + page).slice(0, chars)
}

/** Returns the largest number of filters in one list of filters of the file. */
function filtersIn(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const lists = [...text.matchAll(/\/F(?:ilter)?\s*\[([^\]]{0,65536})\]?/g)]
  return Math.max(0, ...lists.map(([, list = '']) => list.split('/').length - 1))
}
