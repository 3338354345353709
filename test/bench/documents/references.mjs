// The text of a document by other programs than Anode's readers: pdftotext, or the text of its XML.
import { spawnSync } from 'node:child_process'
import { openParts } from './zip-parts.mjs'

/** Returns `{ text, also }`, or a string with the reason why the reference is missing. */
export function referenceOf(path, bytes, { kind, encoding }) {
  return references[kind](bytes, path, encoding)
}

const references = {
  pdf(_, path) {
    const made = spawnSync('pdftotext', ['-enc', 'UTF-8', path, '-'], {
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    })
    if (made.error) return 'pdftotext is not installed'
    return made.status === 0 ? { text: made.stdout } : `pdftotext: ${made.stderr.split('\n')[0]}`
  },
  docx: (bytes) => dumpWord(openParts(bytes)),
  pptx: (bytes) => dumpSlides(openParts(bytes)),
  xlsx: (bytes) => dumpWorkbook(openParts(bytes)),
  odf: (bytes) => dumpOpenDocument(openParts(bytes)),
  rtf: (bytes) => ({ text: dumpRichText(bytes.toString('latin1')) }),
  html: (bytes, _, encoding) => dumpPage(new TextDecoder(encoding).decode(bytes)),
  mail: (bytes, _, encoding) => dumpMail(bytes.toString('latin1'), encoding),
  epub: (bytes) => dumpBook(openParts(bytes)),
  text: (bytes, _, encoding) => ({ text: new TextDecoder(encoding).decode(bytes) }),
  notebook: (bytes) => ({ text: dumpNotebook(JSON.parse(bytes.toString('utf8'))) }),
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const decode = (text) =>
  text.replace(/&(#x?[0-9a-f]+|\w+);/gi, (whole, name) => {
    if (name[0] !== '#') return entities[name] ?? whole
    const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
const without = (xml, ...names) =>
  names.reduce(
    (out, name) => out.replace(new RegExp(`<${name}(?=[\\s>])[^>]*(?<!/)>[\\s\\S]*?</${name}>`, 'gi'), ''),
    xml,
  )

/** Returns the text of the elements, with a space at the end of a paragraph, cell or break. */
function textIn(xml, names, breaks) {
  const pattern = new RegExp(
    `<(?:${names})(?:\\s[^>]*)?(?<!/)>([^<]*)<|</(?:${breaks})>|<(?:${breaks})(?:\\s[^>]*)?/>`,
    'g',
  )
  let out = ''
  for (const [, text] of xml.matchAll(pattern)) out += text === undefined ? ' ' : decode(text)
  return out
}

const wordBreaks =
  'w:p|w:tab|w:br|w:cr|m:oMath|m:num|m:den|m:sub|m:sup|m:e|m:fName|w:footnoteReference|w:rt|w:rubyBase'
function dumpWord({ names, read }) {
  const parts = names.filter((name) =>
    /^word\/(?:document|footnotes|endnotes|comments|header\d*|footer\d*)\d*\.xml$/.test(name),
  )
  const texts = parts.map((name) =>
    textIn(without(read(name), 'mc:Fallback', 'w:del', 'w:moveFrom'), 'w:t|m:t', wordBreaks),
  )
  const isNumbered = names.includes('word/numbering.xml')
  return withCharts({ text: texts.join('\n'), also: isNumbered ? listLabels : '' }, names, read, 'word')
}

/** Returns the numbers of list items, which the text part of a file does not contain. */
const listLabels = Array.from({ length: 60 }, (_, i) => `${i} 0${i} ${i}th ${i}st ${i}nd ${i}rd`)
  .concat('i ii iii iv v vi vii viii ix x xi xii a b c d e f g h j k l m n o p'.split(' '))
  .join(' ')

/**
 * Returns the words of charts and diagrams, each category and name once, and the possible forms of each
 * number.
 */
function dumpCharts(names, read, folder) {
  const pattern = new RegExp(`^${folder}/(?:charts/chart|diagrams/data)\\d*\\.xml$`)
  const parts = names.filter((name) => pattern.test(name)).map(read)
  const values = parts.flatMap((xml) =>
    [...xml.matchAll(/<c:v>([^<]*)<\/c:v>/g)].map(([, value]) => decode(value)),
  )
  const isNumber = (value) => value.trim() !== '' && Number.isFinite(Number(value))
  const numbers = [...new Set(values.filter(isNumber))].map(formsOf)
  const texts = parts.map((xml) => `${textIn(xml, 'a:t', 'a:p|a:br')} `)
  const named = values.filter((value) => !isNumber(value))
  const words = [...texts, ...named].flatMap((text) => text.split(/\s+/))
  return { text: [...new Set(words)].join(' '), numbers }
}

function dumpSlides({ names, read }) {
  const parts = names.filter((name) =>
    /^ppt\/(?:slides\/slide|notesSlides\/notesSlide|comments\/(?:modern)?[Cc]omment)\w*\.xml$/.test(name),
  )
  const texts = parts.map((name) => {
    const text = textIn(without(read(name), 'mc:Fallback'), 'a:t|p:text|m:t', 'a:p|a:br|a:tc|p:text|m:r')
    // a notes page has the number of its slide
    return name.includes('notesSlide') ? text.replace(/(^|\s)\d+\s*$/, '') : text
  })
  return withCharts({ text: texts.join('\n') }, names, read, 'ppt')
}

function withCharts({ text, also = '', oneOf = [] }, names, read, folder) {
  const charts = dumpCharts(names, read, folder)
  return {
    text: `${text}\n${charts.text}`,
    also: [also, ...charts.numbers.flat()].join('\n'),
    oneOf: [...oneOf, ...charts.numbers],
  }
}

/** Returns the forms in which a number format can show a number. */
function dumpWorkbook({ names, read }) {
  const local = (xml) => xml.replace(/<(\/?)\w+:/g, '<$1')
  const strings = [...local(read('xl/sharedStrings.xml')).matchAll(/<si>([\s\S]*?)<\/si>|<si\/>/g)].map(
    ([, si = '']) => textIn(without(si, 'rPh'), 't', 'none'),
  )
  const required = []
  const also = []
  const numbers = []
  for (const [, name] of local(read('xl/workbook.xml')).matchAll(/<sheet [^>]*?name="([^"]*)"/g))
    also.push(decode(name))
  for (const name of names.filter((one) => /^xl\/worksheets\/[^/]*\.xml$/.test(one)))
    for (const [, head, cell = ''] of local(read(name)).matchAll(
      /<c((?: [^>]*?)?)(?:\/>|>([\s\S]*?)<\/c>)/g,
    )) {
      const value = decode(/<v>([^<]*)<\/v>/.exec(cell)?.[1] ?? '')
      const type = / t="(\w+)"/.exec(head)?.[1] ?? 'n'
      if (type === 's') required.push(strings[Number(value)] ?? '')
      else if (type === 'inlineStr') required.push(textIn(without(cell, 'rPh'), 't', 'none'))
      else if (type === 'b') required.push(value === '1' ? 'TRUE' : 'FALSE')
      else if (type !== 'n') required.push(value)
      else if (value !== '') numbers.push(formsOf(value))
    }
  const comments = names
    .filter((name) => /^xl\/(?:comments|threadedComments)/.test(name))
    .map((name) => textIn(local(read(name)), 't|text', 'text'))
  const drawings = names
    .filter((name) => /^xl\/drawings\/drawing\d+\.xml$/.test(name))
    .map((name) => textIn(read(name), 'a:t', 'a:p'))
  const text = [...required, ...comments, ...drawings].join('\n')
  return withCharts(
    { text, also: [...also, ...numbers.flat()].join('\n'), oneOf: numbers },
    names,
    read,
    'xl',
  )
}

function formsOf(value) {
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) return [value]
  const short = (n) => String(Number(n.toPrecision(12)))
  const days = [25_569, 25_568, 24_107].map((epoch) => Math.round((number - epoch) * 86_400) * 1_000)
  const dates = days.flatMap((ms) => {
    const text = Math.abs(ms) < 8e15 ? new Date(ms).toISOString().replace('T', ' ') : ''
    return [text.slice(0, 10), text.slice(0, 19), text.slice(11, 19)].filter((form) => form !== '')
  })
  const seconds = Math.round(Math.abs(number) * 86_400)
  const clock = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return [
    ...[value, short(number), number.toFixed(20).replace(/\.?0+$/, ''), short(number * 100), ...dates],
    clock.map((part) => String(part).padStart(2, '0')).join(':'),
  ]
}

function dumpOpenDocument({ names, read }) {
  const xml = read('content.xml').replace(/<text:tracked-changes>[\s\S]*?<\/text:tracked-changes>/g, '')
  const body = /<office:body>[\s\S]*<\/office:body>/.exec(xml)?.[0] ?? ''
  const spaced = body.replace(
    /<\/(?:text:p|text:h|table:table-cell)>|<text:(?:tab|s|line-break)[^>]*\/>/g,
    ' ',
  )
  const named = (xml) =>
    [...xml.matchAll(/<table:table [^>]*?table:name="([^"]*)"/g)].map(([, name]) => decode(name))
  const plain = (text) => decode(text.replace(/<[^>]*>/g, ' '))
  const styles = read('styles.xml').replace(
    /<text:(page-number|page-count|sheet-name|time)[^>]*>[^<]*<[^>]*>/g,
    ' ',
  )
  const heads = styles.match(/<style:(header|footer)(?:-\w+)?>[\s\S]*?<\/style:\1(?:-\w+)?>/g) ?? []
  const objects = names.filter((name) => /.\/content\.xml$/.test(name)).map(read)
  const isText = /<office:text[ >]/.test(body)
  const text = decode(spaced.replace(/<[^>]*>/g, ''))
  return {
    text: [text, ...(isText ? new Set(heads.map(plain)) : [])].join('\n'),
    also: [...[body, ...objects].flatMap(named), ...heads.map(plain), ...objects.map(plain)].join('\n'),
  }
}

/** Reads RTF files with one Western code page and without font tables in the text. */
function dumpRichText(source) {
  let text = source.replace(
    /\{\\(?:\*|fonttbl|colortbl|stylesheet|info|pict)(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g,
    '',
  )
  text = text.replace(/\\u(-?\d+) ?(?:\\'..|\?)/g, (_, code) =>
    String.fromCharCode((Number(code) + 65_536) % 65_536),
  )
  text = text
    .replace(/\\-/g, '')
    .replace(/\\'(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return text.replace(/\\(?:par|line|tab|cell|row)\b ?/g, ' ').replace(/\\[a-z]+-?\d* ?|[{}]|[\r\n]/gi, '')
}

const breaks =
  'p|div|li|td|th|tr|h\\d|br|dt|dd|option|pre|hr|ul|ol|table|section|figcaption|label|input|math|mi|mn|mo|mtext'
const hidden = 'head|script|style|noscript|template|nav|svg|button|select|iframe|object|annotation'.split('|')

/** `also` has other words that a page shows: descriptions of images and values of fields. */
function dumpPage(html) {
  const body = without(html.replace(/<!--[\s\S]*?-->/g, ''), ...hidden)
  const spaced = body.replace(new RegExp(`</?(?:${breaks})\\b[^>]*>`, 'gi'), ' ')
  const shown = [...html.matchAll(/\s(?:alt|value)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi)]
  return {
    text: decode(spaced.replace(/<[^>]*>/g, '')),
    also: decode(shown.map(([, a, b, c]) => a ?? b ?? c).join('\n')),
  }
}

function dumpBook({ names, read }) {
  const pages = names.filter((name) => /\.x?html?$/.test(name))
  const dumps = pages.map((name) => dumpPage(read(name)))
  return { text: dumps.map(({ text }) => text).join('\n'), also: dumps.map(({ also }) => also).join('\n') }
}

/** Returns the plain text of a message, or its HTML. Headers and names of attachments may be shown. */
function dumpMail(source, encoding = 'utf-8') {
  const [head = ''] = source.split(/\r?\n\r?\n/, 1)
  const boundaries = [...source.matchAll(/boundary="?([^"\r\n;]+)"?/gi)].map(([, name]) => `--${name}`)
  const pieces = boundaries.reduce((list, mark) => list.flatMap((one) => one.split(mark)), [source])
  const parts = pieces.map((piece) => mailPart(piece, encoding)).filter((part) => part !== undefined)
  const plain = parts.filter(({ isPage }) => !isPage)
  const chosen = plain.length > 0 ? plain : parts
  const text = chosen.map((part) => (part.isPage ? dumpPage(part.text).text : part.text)).join('\n')
  return {
    text,
    also: `${source}\n${head}\n${parts.map((part) => part.text).join('\n')} attachment byte bytes not read`,
  }
}

function mailPart(piece, fallback) {
  const at = /\r?\n\r?\n/.exec(piece)
  if (!at) return undefined
  const head = piece.slice(0, at.index)
  const type = /content-type:\s*([\w/+.-]+)/i.exec(head)?.[1]?.toLowerCase() ?? 'text/plain'
  if (!/^text\/(?:plain|html)$/.test(type) || /content-disposition:\s*attachment/i.test(head))
    return undefined
  const body = piece.slice(at.index + at[0].length)
  const transfer = /content-transfer-encoding:\s*([\w-]+)/i.exec(head)?.[1]?.toLowerCase()
  const plain = body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  const raw = transfer === 'quoted-printable' ? plain : body
  const bytes = transfer === 'base64' ? Buffer.from(body, 'base64') : Buffer.from(raw, 'latin1')
  const charset = /charset="?([\w-]+)/i.exec(head)?.[1] ?? fallback
  return { isPage: type === 'text/html', text: new TextDecoder(charset).decode(bytes) }
}

function dumpNotebook({ cells }) {
  const join = (text) => (Array.isArray(text) ? text.join('') : (text ?? ''))
  return cells
    .flatMap(({ source, outputs = [] }) => [
      join(source),
      ...outputs.map((one) => join(one.text ?? one.data?.['text/plain'])),
    ])
    .join('\n')
}
