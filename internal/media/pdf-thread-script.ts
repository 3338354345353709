// Source text of the thread that reads PDF files, so that the thread needs no file.

/** Thread program that reads text and images page by page, and reports what the library skips. */
export const pdfThreadScript = `
const { parentPort, workerData } = require('node:worker_threads')
const say = (said) => parentPort.postMessage(said)
const named = (value) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

// the library calls this method, which Node has from version 22 on
ArrayBuffer.prototype.transferToFixedLength ??= function (length = this.byteLength) {
  const copy = new ArrayBuffer(length)
  new Uint8Array(copy).set(new Uint8Array(this, 0, Math.min(length, this.byteLength)))
  return copy
}

// the library prints a warning where it passes over an error and gives less than there is
const warnings = []
for (const name of ['log', 'info', 'warn', 'error'])
  console[name] = (...words) => { if (warnings.length < 100) warnings.push(words.join(' ')) }
const lossOfText = /getTextContent - ignoring|translateFont failed|error during font loading|cMapUrl/i
const lossOfPicture =
  /getOperatorList - ignoring|unable to decode|dependent image|image dimensions|(jpx|jbig2|jpeg)error/i
function takeLoss(pattern) {
  const found = warnings.splice(0).find((text) => pattern.test(text))
  return found && found.replace(/^Warning: /, '').split('\\n')[0].slice(0, 200)
}

const { readFileSync } = require('node:fs')
const { compileFunction, constants } = require('node:vm')
const unpack = (path) => require('node:zlib').brotliDecompressSync(readFileSync(path))

/** Runs a CommonJS module and returns its exports. */
function run(source) {
  const loaded = { exports: {} }
  const options = { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER }
  compileFunction(source, ['exports', 'require', 'module'], options)(loaded.exports, require, loaded)
  return loaded.exports
}

let library
async function load() {
  const { packedLibrary, library: url, patch } = workerData
  if (packedLibrary) return run(unpack(packedLibrary).toString())
  const source = (await import(patch)).patchPdfLibrary(readFileSync(new URL(url), 'utf8'))
  return import('data:text/javascript;base64,' + Buffer.from(source).toString('base64'))
}

// tables of the letters of Chinese, Japanese and Korean fonts: files of a directory, or packed into one file
let tables
function readTables(path) {
  const packed = unpack(path)
  let start = packed.indexOf(10)
  const sizes = JSON.parse(packed.subarray(0, start++).toString())
  return new Map(
    Object.entries(sizes).map(([name, size]) => {
      start += size
      return [name, new Uint8Array(packed.subarray(start - size, start))]
    }),
  )
}
class PackedTables {
  async fetch({ kind, filename }) {
    const name = filename.replace(/\\.bcmap$/, '')
    const table = kind === 'cMapUrl' ? (tables ??= readTables(workerData.tables)).get(name) : undefined
    if (!table) throw new Error('the program has no ' + filename)
    return table
  }
}

async function read({ bytes, limits }) {
  const { getDocument, OPS } = await (library ??= load())
  // warnings are collected; nothing gets to the console
  const options = { data: bytes, verbosity: 1, isEvalSupported: false, useSystemFonts: true }
  Object.assign(options, { cMapUrl: workerData.characters, cMapPacked: true })
  if (workerData.tables) options.BinaryDataFactory = PackedTables
  // pictures come as pixels
  options.isOffscreenCanvasSupported = false
  const loading = getDocument(options)
  const file = await loading.promise
  const info = (await file.getMetadata().catch(() => undefined))?.info
  say({ kind: 'file', pages: file.numPages, title: named(info?.Title), created: named(info?.CreationDate) })
  for (let n = 1, chars = 0; n <= Math.min(file.numPages, limits.pages) && chars < limits.chars; n++) {
    const page = await file.getPage(n)
    warnings.length = 0
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
    const lost = takeLoss(lossOfText)
    runs.push(...(await annotationRuns(page, limits.chars - length)))
    say({ kind: 'page', runs, lost })
    if (limits.pictures > 0) limits.pictures -= await sendPictures(page, n, limits, OPS)
    page.cleanup()
  }
  await loading.destroy()
  say({ kind: 'end' })
}

// values of form fields, notes and comments, which are outside the page text; a line each, below it
async function annotationRuns(page, room) {
  const notes = await page.getAnnotations().catch(() => [])
  const texts = new Set(notes.map(textOfAnnotation).filter((text) => text !== ''))
  const runs = []
  let left = Math.max(0, room)
  for (const text of texts) {
    if (left <= 0) break
    const y = -100 * (runs.length + 1)
    runs.push({ text: text.slice(0, left), x: 0, y, width: 0, height: 0, endsLine: true })
    left -= text.length
  }
  return runs
}
function textOfAnnotation(note) {
  if (note.subtype === 'Widget') return textOfField(note)
  const text = note.contentsObj?.str?.trim() ?? ''
  if (text === '' || note.subtype === 'Link' || note.subtype === 'Popup') return ''
  return note.subtype === 'FreeText' ? text : 'Comment: ' + text
}
function textOfField(field) {
  const { fieldType, alternativeText, fieldName, fieldValue, exportValue, buttonValue, options } = field
  const shown = (one) => options?.find((option) => option.exportValue === one)?.displayValue ?? one
  const values = [fieldValue ?? ''].flat()
  // a list box shows all of its entries
  const entry = (one) => (values.includes(one.exportValue) ? '[x] ' : '[ ] ') + one.displayValue
  const isList = fieldType === 'Ch' && !field.combo && options?.length > 0 && options.length <= 200
  const value = isList ? options.map(entry).join(', ') : values.map(shown).join(', ').trim()
  const isOff = fieldType === 'Btn' && (value === 'Off' || value !== (exportValue ?? buttonValue))
  if (value === '' || isOff || fieldType === 'Sig') return ''
  return (named(alternativeText) ?? named(fieldName) ?? 'field') + ': ' + value
}

// a stencil with fewer pixels is a letter or an ornament
const leastStencil = 10000

async function sendPictures(page, n, limits, OPS) {
  const { fnArray, argsArray } = await page.getOperatorList()
  const named = new Set()
  const shown = []
  fnArray.forEach((op, i) => {
    const [first] = argsArray[i] ?? []
    const isNamed = op === OPS.paintImageXObject || op === OPS.paintImageXObjectRepeat
    const isInline = op === OPS.paintInlineImageXObject || op === OPS.paintInlineImageXObjectGroup
    const isStencil = op === OPS.paintImageMaskXObject && first?.width * first?.height >= leastStencil
    if (isNamed && !named.has(first)) {
      named.add(first)
      shown.push(() => fromStore(page, first))
    } else if (isInline) shown.push(() => first)
    else if (isStencil) shown.push(() => stencil(page, first))
  })
  let sent = 0
  let unread = 0
  let why
  for (const find of shown) {
    if (sent >= limits.pictures) break
    const picture = pixelsOf(await find(), limits)
    if (typeof picture === 'string') {
      unread++
      why ??= picture
      continue
    }
    limits.pictureBytes -= picture.pixels.length
    parentPort.postMessage({ kind: 'picture', picture: { page: n, ...picture } }, [picture.pixels.buffer])
    sent++
  }
  const passedOver = takeLoss(lossOfPicture)
  if (unread > 0 || passedOver) say({ kind: 'unread', count: unread, why: passedOver ?? why })
  return sent
}

function fromStore(page, name) {
  const store = name.startsWith('g_') ? page.commonObjs : page.objs
  return new Promise((resolve) => store.get(name, resolve))
}

// the pixels of a stencil are in the store where several places show it
async function stencil(page, { data, width, height }) {
  const found = typeof data === 'string' ? await fromStore(page, data) : data
  return { width, height, data: found?.data ?? found }
}

// a text explains why the pixels are missing
function pixelsOf(found, limits) {
  const { width, height, data } = found ?? {}
  if (!data?.length || !width || !height) return 'a picture cannot be decoded'
  const channels = data.length / (width * height)
  const isBits = data.length === ((width + 7) >> 3) * height
  if (!isBits && ![1, 3, 4].includes(channels)) return 'a picture is of an unknown form'
  if (width * height * (isBits ? 1 : channels) > limits.pictureBytes) return 'a picture is too large'
  return isBits
    ? { width, height, channels: 1, pixels: grayOf(data, width, height) }
    : { width, height, channels, pixels: Uint8Array.from(data) }
}

// one bit a pixel, 1 is white; each row begins with a new byte
function grayOf(data, width, height) {
  const row = (width + 7) >> 3
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (data[y * row + (x >> 3)] & (128 >> (x & 7))) pixels[y * width + x] = 255
  return pixels
}

parentPort.on('message', (asked) => read(asked).catch((error) => {
  const message = String(error instanceof Error ? error.message : error).split('\\n')[0]
  say({ kind: 'failed', locked: error?.name === 'PasswordException', message })
}))
`
