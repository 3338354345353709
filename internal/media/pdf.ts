// Text and number of pages of a PDF.

export interface Pdf {
  pages: number
  title: string | undefined
  /** Pages whose text is in `text`, from the first. */
  read: number
  /** Pages in order, each under a line `--- page N ---`. */
  text: string
}

export interface PdfLimits {
  chars: number
  pages: number
  ms: number
  signal: AbortSignal
}

/** A run of text on a page, or a mark without text. */
interface Piece {
  str?: string
  hasEOL?: boolean
}

/** Reads pages until a limit is reached; the page that reaches it is cut. A string says why the file cannot be read. */
export async function readPdf(bytes: Uint8Array, limits: PdfLimits): Promise<Pdf | string> {
  const { getDocumentProxy } = await import('unpdf')
  const started = performance.now()
  let document: Awaited<ReturnType<typeof getDocumentProxy>>
  try {
    // a copy, because the reader takes the buffer over; verbosity 0 keeps it off the console
    document = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0, isEvalSupported: false })
  } catch (error) {
    const locked = (error as { name?: string } | null)?.name === 'PasswordException'
    return locked ? 'it is protected by a password' : `it cannot be read: ${lineOf(error)}`
  }
  try {
    const info = (await document.getMetadata().catch(() => undefined))?.info as
      | { Title?: unknown }
      | undefined
    const title = typeof info?.Title === 'string' && info.Title.trim() !== '' ? info.Title.trim() : undefined
    let text = ''
    let read = 0
    while (read < Math.min(document.numPages, limits.pages) && text.length < limits.chars) {
      if (limits.signal.aborted || performance.now() - started > limits.ms) break
      const page = await document.getPage(read + 1)
      const { items } = await page.getTextContent()
      page.cleanup()
      read++
      const lines = items.map((item: Piece) => (item.str ?? '') + (item.hasEOL ? '\n' : '')).join('')
      text += `${text === '' ? '' : '\n'}--- page ${read} ---\n${lines.trim()}\n`
    }
    return { pages: document.numPages, title, read, text: text.slice(0, limits.chars) }
  } catch (error) {
    return `it cannot be read: ${lineOf(error)}`
  } finally {
    await document.destroy()
  }
}

const lineOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n')[0]
