// Sources of a study as entries for a bibliography, in BibTeX or CSL-JSON.
import type { ReportDocument, ReportedSource } from './report-document.ts'

export type CitationStyle = 'bibtex' | 'csl'

interface CitedWork {
  key: string
  canonical: string
  title: string
  kind: string
  date?: string
  url?: string
  /** Positions of the quotes in the source, in the order of the report. */
  places: string[]
}

/** Returns one entry for each file or page, even if several positions in it are quoted. */
export function formatCitations(document: ReportDocument, style: CitationStyle): string {
  const works = listWorks(document.sources)
  const accessed = document.created.slice(0, 10)
  if (style === 'csl')
    return `${JSON.stringify(
      works.map((work) => cslItem(work, accessed)),
      null,
      2,
    )}\n`
  return works.map((work) => bibtexEntry(work, accessed)).join('\n')
}

function listWorks(sources: readonly ReportedSource[]): CitedWork[] {
  const works = new Map<string, CitedWork>()
  const keys = new Set<string>()
  for (const source of sources) {
    const { canonical, locator, title, kind, date, link } = source
    const work = works.get(canonical)
    if (work) {
      work.places.push(locator)
      continue
    }
    const url = link !== undefined && /^https?:/.test(link) ? link.replace(/[?#].*$/, '') : undefined
    works.set(canonical, {
      key: freeKey(canonical, date, keys),
      canonical,
      title: title ?? (canonical.split('/').at(-1) || canonical),
      kind: kind ?? 'text',
      date,
      url: /^https?:/.test(canonical) ? canonical : url,
      places: [locator],
    })
  }
  return [...works.values()]
}

/** Returns a key for a source, such as `tide-pools-2023`. If the key is already used, a number is added. */
function freeKey(canonical: string, date: string | undefined, usedKeys: Set<string>): string {
  const name = (
    canonical
      .replace(/^https?:\/\//, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1) ?? ''
  )
    .replace(/\.\w+$/, '')
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
  const base = [name || 'source', date?.slice(0, 4)].filter(Boolean).join('-')
  let key = base
  for (let n = 2; usedKeys.has(key); n++) key = `${base}-${n}`
  usedKeys.add(key)
  return key
}

function bibtexEntry(
  { key, canonical, title, kind, date, url, places }: CitedWork,
  accessed: string,
): string {
  const [year, month] = date?.split('-') ?? []
  const fields: [string, string | undefined][] = [
    ['title', `{${escapeBibtex(title)}}`],
    ['year', year],
    ['month', month === undefined ? undefined : String(Number(month))],
    ['howpublished', `${escapeBibtex(kind)}, ${escapeBibtex(canonical)}`],
    [
      'note',
      escapeBibtex(
        places
          .filter((place) => place !== '')
          .map(namePlace)
          .join('; '),
      ) || undefined,
    ],
    ['url', url?.replace(/[{}\\]/g, encodeURIComponent)],
    ['urldate', url === undefined ? undefined : accessed],
  ]
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`  ${name} = {${value}},`]))
  return `@misc{${key},\n${lines.join('\n')}\n}\n`
}

const namePlace = (place: string) =>
  /^\d+$/.test(place) ? `line ${place}` : /^\d/.test(place) ? `lines ${place}` : place

const special: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

/**
 * Returns the text escaped for BibTeX. Braces become parentheses, because unbalanced braces would
 * break the file.
 */
function escapeBibtex(text: string): string {
  return text
    .replace(/[{}]/g, (brace) => (brace === '{' ? '(' : ')'))
    .replace(/[\\~^]/g, (mark) => special[mark] ?? '')
    .replace(/[&%$#_]/g, (mark) => `\\${mark}`)
    .replace(/\s+/g, ' ')
}

const cslTypes: Readonly<Record<string, string>> = {
  'web page': 'webpage',
  'EPUB book': 'book',
  table: 'dataset',
  data: 'dataset',
  code: 'software',
  configuration: 'software',
}

function cslItem({ key, canonical, title, kind, date, url, places }: CitedWork, accessed: string): object {
  return {
    id: key,
    type: cslTypes[kind] ?? 'document',
    title,
    issued: date === undefined ? undefined : dateParts(date),
    URL: url,
    accessed: url === undefined ? undefined : dateParts(accessed),
    medium: kind,
    source: canonical,
    note: places
      .filter((place) => place !== '')
      .map(namePlace)
      .join('; '),
  }
}

const dateParts = (date: string) => ({ 'date-parts': [date.split('-').map(Number)] })
