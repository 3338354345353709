// Report as PDF on A4 pages, with searchable text, links, an outline and embedded fonts.
import PDFDocument from 'pdfkit'
import { readCodeLines } from '../../base/code/code-reader.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { codeInks, plainLines } from './code-ink.ts'
import type { CodePiece } from './markdown-blocks.ts'
import type { ReportDocument } from './report-document.ts'
import { type ReportFontName, readReportFont } from './report-font.ts'
import { type CitedSource, layOutReport, type ReportPiece } from './report-layout.ts'
import { foldSpaces, plainWords, type ReportRun, readQuote, readWords } from './text-runs.ts'

type PdfDocument = PDFKit.PDFDocument

const fonts = { plain: 'DejaVuSans', bold: 'DejaVuSans-Bold', code: 'DejaVuSansMono' } as const
const ink = '#1b1b1f'
const faint = '#5f5f6b'
const bar = '#b7b7c3'
const linkInk = '#0b5394'
/** Font sizes in points. */
const size = { title: 17, section: 13, heading: 11, text: 10, small: 8 }
const indent = 14

/** Returns the bytes of a PDF file. Equal documents give equal bytes. */
export async function renderPdf(document: ReportDocument): Promise<Uint8Array> {
  const pdf = openPdf(document)
  const chunks: Buffer[] = []
  const completion = new Promise<void>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  const pieces = layOutReport(document)
  const missing = findMissingGlyphs(pdf, JSON.stringify(pieces))
  for (const piece of pieces) {
    drawPiece(pdf, piece, document)
    if (piece.kind === 'title' && missing.length > 0) drawWarning(pdf, describeMissing(missing))
  }
  pdf.end()
  await completion
  return Buffer.concat(chunks)
}

function openPdf({ question, id, created }: ReportDocument): PdfDocument {
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: 56, bottom: 56, left: 60, right: 60 },
    // No default font is loaded, because the standard fonts of PDF contain only Latin letters.
    font: null as unknown as string,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: foldSpaces(question),
      Author: 'Anode',
      Subject: `Study ${id}`,
      CreationDate: new Date(created),
    },
  })
  for (const name of Object.values(fonts)) pdf.registerFont(name, readReportFont(name))
  return setFont(pdf, fonts.plain, size.text)
}

const setFont = (pdf: PdfDocument, font: ReportFontName, points: number, color = ink): PdfDocument =>
  pdf.font(font).fontSize(points).fillColor(color)

/** Returns each character once for which the plain font has no glyph, because readers would not see it. */
function findMissingGlyphs(pdf: PdfDocument, text: string): string[] {
  const open = pdf as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } }
  const { font } = open._font
  const characters = [...new Set(foldSpaces(text))].filter((char) => !/\s/.test(char))
  return characters.filter((char) => !font.hasGlyphForCodePoint(char.codePointAt(0) as number))
}

const describeMissing = (missing: readonly string[]): string =>
  `This file has no letters for ${missing.length} of the characters in it; as .html the report shows all.`

function drawPiece(pdf: PdfDocument, piece: ReportPiece, document: ReportDocument): void {
  const read = (words: string) => readWords(document, words)
  switch (piece.kind) {
    case 'title':
      setFont(pdf, fonts.bold, size.title).text(foldSpaces(piece.text)).moveDown(0.6)
      break
    case 'section':
      pdf.outline.addItem(piece.text)
      keepTogether(pdf, 60)
      pdf.moveDown(0.9)
      setFont(pdf, fonts.bold, size.section).text(piece.text).moveDown(0.4)
      break
    case 'heading':
      keepTogether(pdf, 40)
      pdf.moveDown(0.3)
      setFont(pdf, fonts.bold, size.heading)
        .text(plainWords(read(piece.text)))
        .moveDown(0.25)
      break
    case 'text':
      writeRuns(pdf, read(piece.text))
      pdf.moveDown(0.4)
      break
    case 'quote':
      drawQuote(pdf, piece, document)
      break
    case 'warning':
      drawWarning(pdf, foldSpaces(piece.text))
      break
    case 'code':
      pdf.moveDown(0.4)
      drawCode(pdf, piece)
      pdf.moveDown(0.6)
      break
    case 'list':
      for (const [i, item] of piece.items.entries()) {
        writeRuns(pdf, read(item), indent, piece.ordered ? `${i + 1}.` : '•')
        pdf.moveDown(0.25)
      }
      break
    case 'facts':
      for (const [label, value] of piece.pairs) {
        setFont(pdf, fonts.plain, size.text, faint).text(`${label}: `, { continued: true })
        setFont(pdf, fonts.plain, size.text).text(foldSpaces(value))
      }
      break
    case 'table':
      // the head must have a row below it on the same page, and that row may have two lines
      keepTogether(pdf.moveDown(0.4), 48)
      setFont(pdf, fonts.plain, size.small).table({
        data: [piece.head, ...piece.rows].map((row) => row.map(foldSpaces)),
        // The column with a task's subject gets the most width, then the column with its end.
        columnStyles: piece.head.map((_, i) => (i === piece.head.length - 1 ? '*' : i === 1 ? 130 : 44)),
        defaultStyle: { border: { bottom: 0.5 }, borderColor: '#d5d5dc', padding: 3 },
      })
      break
    case 'sources':
      for (const source of piece.sources) drawSource(pdf, source)
  }
}

function drawCode(pdf: PdfDocument, { text, language }: CodePiece): void {
  const clean = sanitizeText(text, { keepLines: true })
  for (const runs of readCodeLines(clean, language) ?? plainLines(clean)) {
    for (const [i, run] of runs.entries()) {
      setFont(pdf, fonts.code, size.small, run.kind ? codeInks[run.kind] : ink)
      pdf.text(run.text, { continued: i < runs.length - 1 })
    }
    // An empty line would have no height, so a space is written.
    if (runs.length === 0) setFont(pdf, fonts.code, size.small).text(' ')
  }
}

/** Starts a new page if fewer points are left on this one, so that a page never ends with a heading. */
function keepTogether(pdf: PdfDocument, points: number): void {
  if (pdf.y + points > pdf.page.height - pdf.page.margins.bottom) pdf.addPage()
}

function drawWarning(pdf: PdfDocument, text: string): void {
  const { left: leftMargin } = pdf.page.margins
  keepTogether(pdf, 40)
  const top = pdf.y
  setFont(pdf, fonts.bold, size.text).text(text, leftMargin + indent)
  pdf.rect(leftMargin, top, 3, pdf.y - top).fill('#c58b00')
  pdf.x = leftMargin
  pdf.moveDown(0.5)
}

/**
 * Writes text after its mark, such as a bullet. The mark starts at the left margin, and all lines of the text
 * start `inset` points to the right of it.
 */
function writeRuns(pdf: PdfDocument, runs: readonly ReportRun[], inset = 0, mark = ''): void {
  const { left, right } = pdf.page.margins
  const width = pdf.page.width - left - right - inset
  keepTogether(pdf, size.text * 1.5)
  const top = pdf.y
  if (mark !== '') {
    setFont(pdf, fonts.plain, size.text).text(mark, left, top, { lineBreak: false })
    pdf.y = top
  }
  pdf.x = left + inset
  for (const [i, run] of runs.entries()) {
    const { text, isBold, isItalic, isStruck, isCode, link } = run
    setFont(pdf, isCode ? fonts.code : isBold ? fonts.bold : fonts.plain, size.text, link ? linkInk : ink)
    pdf.text(text, {
      width,
      continued: i < runs.length - 1,
      oblique: isItalic === true,
      strike: isStruck === true,
      underline: link !== undefined,
      link: link?.href ?? null,
    })
  }
  pdf.x = left
}

type QuotePiece = Extract<ReportPiece, { kind: 'quote' }>

function drawQuote(pdf: PdfDocument, quote: QuotePiece, document: ReportDocument): void {
  const lines = quote.text.split('\n').map((line) => readWords(document, line, quote))
  for (const [i, runs] of lines.entries()) drawQuoteLine(pdf, runs, i > 0)
  pdf.moveDown(0.6)
}

/**
 * Writes a line of a quote with a bar at its left, which starts at the previous line if there is one. If the
 * line continues on another page, the bar is on the page where it ends.
 */
function drawQuoteLine(pdf: PdfDocument, runs: readonly ReportRun[], hasPrevious: boolean): void {
  const { left: leftMargin, top: pageTop } = pdf.page.margins
  const previous = { page: pdf.page, y: pdf.y }
  if (hasPrevious) pdf.moveDown(0.3)
  keepTogether(pdf, size.text * 1.5)
  const start = hasPrevious && pdf.page === previous.page ? previous : { page: pdf.page, y: pdf.y }
  writeRuns(pdf, runs, indent)
  const top = pdf.page === start.page ? start.y : pageTop
  pdf.rect(leftMargin + 3, top, 1.5, pdf.y - top).fill(bar)
}

function drawSource(pdf: PdfDocument, { n, place, link, quotes }: CitedSource): void {
  const { left: leftMargin } = pdf.page.margins
  keepTogether(pdf, 40)
  setFont(pdf, fonts.plain, size.text).text(`[${n}] `, { continued: true })
  writePlace(pdf, place, link, fonts.code, size.text - 1)
  for (const quote of quotes) {
    setFont(pdf, fonts.plain, size.small + 1).text(
      `“${plainWords(readQuote(quote))}” `,
      leftMargin + indent,
      undefined,
      {
        continued: true,
      },
    )
    writePlace(pdf, quote.place, quote.link, fonts.plain, size.small, true)
    setFont(pdf, fonts.plain, size.small, faint).text(` · ${quote.claim} · ${foldSpaces(quote.note)}`, {
      link: null,
      underline: false,
    })
    pdf.x = leftMargin
  }
  pdf.moveDown(0.4)
}

function writePlace(
  pdf: PdfDocument,
  place: string,
  link: string | undefined,
  font: ReportFontName,
  points: number,
  continued = false,
): void {
  setFont(pdf, font, points, link === undefined ? faint : linkInk).text(foldSpaces(place), {
    continued,
    link: link ?? null,
    underline: link !== undefined,
  })
}
