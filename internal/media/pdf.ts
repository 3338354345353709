// Pages of a PDF as placed text, read in a thread that is ended when it takes too much.
import {
  endPdfThread,
  keepPdfThread,
  type PdfMessage,
  type PdfPicture,
  type PdfTextRun,
  takePdfThread,
} from './pdf-thread.ts'

/** A file as far as it was read, `runs` by page from the first. */
export interface PdfPages {
  pages: number
  title?: string
  /** As the file writes it: `D:20240131120000Z`. */
  created?: string
  runs: PdfTextRun[][]
  /** In the order of the pages; empty where none were asked for. */
  pictures: PdfPicture[]
  /** Pictures that are in the file and not in `pictures`, and why. */
  unread?: UnreadPictures
  /** Why text is missing on pages that were read, as the reader says it. */
  lost?: { page: number; why: string }
  /** Why not all pages were read, where no limit of pages or characters says it. */
  stopped?: string
}

/** `count` 0: it is not known how many. */
export interface UnreadPictures {
  count: number
  why: string
}

interface Pdf {
  pages: number
  title: string | undefined
  /** Pages whose text is in `text`, from the first. */
  read: number
  /** Pages in order, each under a line `--- page N ---`. */
  text: string
  lost?: PdfPages['lost']
  unread?: UnreadPictures
  /** Present where the pages have some that were asked for. */
  pictures?: PdfPicture[]
}

interface PdfLimits {
  chars: number
  pages: number
  /** Most pictures; absent: none. */
  pictures?: number
  ms: number
  /** By how much reading may make this process grow, in bytes. */
  memory?: number
  signal: AbortSignal
}

const mib = 1_048_576
/** Pixels of all pictures of a file. */
const pictureBytes = 64 * mib
const maxMemoryBytes = 180 * mib
/** Processor time of this process that one page may take, in milliseconds. */
const maxPageCpuMs = 7_000
/** How often memory is looked at: a stream that unpacks itself grows by some 100 MiB a second. */
const memoryPollMs = 20
/** More filters in a row than this pack one bomb into another. */
const maxFilters = 6

/**
 * Text of the pages until a limit is reached; the page that reaches it is cut. What was read in time and
 * within the memory counts. A string says why there is nothing. This thread is never held up.
 */
export async function readPdf(bytes: Uint8Array, limits: PdfLimits): Promise<Pdf | string> {
  const found = await readPdfPages(bytes, limits)
  if (typeof found === 'string') return found
  const pdf: Pdf = {
    pages: found.pages,
    title: found.title,
    read: 0,
    text: '',
    lost: found.lost,
    unread: found.unread,
  }
  if (found.pictures.length > 0) pdf.pictures = found.pictures
  for (const runs of found.runs) addPage(pdf, runs, limits.chars)
  return pdf
}

/** The same as placed text. */
export async function readPdfPages(bytes: Uint8Array, limits: PdfLimits): Promise<PdfPages | string> {
  if (limits.signal.aborted) return 'it was cancelled'
  if (filtersIn(bytes) > maxFilters) return `it packs a stream more than ${maxFilters} times`
  const { chars, pages } = limits
  const thread = takePdfThread()
  let pdf: PdfPages | undefined
  const cleanUp: (() => void)[] = []
  const why = await new Promise<string | undefined>((resolve) => {
    const watching = watch(limits, resolve)
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
    // a copy, because the reader takes the buffer over; handed on, so that there is one of it
    const copy = Uint8Array.from(bytes)
    const { pictures = 0 } = limits
    thread.postMessage({ bytes: copy, limits: { chars, pages, pictures, pictureBytes } }, [copy.buffer])
  })
  for (const undo of cleanUp) undo()
  // whatever could not be read to its end may still be at work in there
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
  /** To be called with everything that the thread says. */
  heard(): void
  end(): void
}

/** Calls `over` when time or memory is used up, or one page takes too much, until it is ended. */
function watch({ ms, memory = maxMemoryBytes }: PdfLimits, over: (why: string) => void): PdfWatch {
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
