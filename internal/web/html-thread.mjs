// The thread that converts the article or the body of an HTML page to Markdown, with absolute links.
import { parentPort, workerData } from 'node:worker_threads'
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
// the browser build, because the other one contains a second DOM
import TurndownService from 'turndown/lib/turndown.browser.cjs.js'

/** Minimum number of characters of an article. Shorter ones are menus or notices. */
const minArticleChars = 200

const unread = ['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'form', 'button', 'nav']

/** Makes `href` and `src` absolute. Removes URLs of other protocols than the web's and `mailto`. */
function resolveLinks(document, page) {
  const named = document.querySelector('base[href]')?.getAttribute('href') ?? ''
  const base = URL.canParse(named, page) ? new URL(named, page).href : page
  for (const name of ['href', 'src']) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const given = element.getAttribute(name).trim()
      const url = URL.canParse(given, base) ? new URL(given, base) : undefined
      if (url && /^(https?|mailto):$/.test(url.protocol)) element.setAttribute(name, url.href)
      else element.removeAttribute(name)
    }
  }
}

/** Returns a page with the elements `html` and `body`, which the source may omit. */
function wrapPage(html) {
  const body = /<body[\s>]/i.test(html) ? html : `<body>${html}</body>`
  return body === html && /<html[\s>]/i.test(html) ? html : `<!doctype html><html>${body}</html>`
}

/** Limits above which the time grows faster than the size of a page. */
const maxTags = 250_000
const maxDepth = 250

function checkShape(element) {
  for (let [node, depth] = [element, 0]; node; ) {
    if (depth > maxDepth) throw new Error('the page is nested too deeply')
    if (node.firstElementChild) [node, depth] = [node.firstElementChild, depth + 1]
    else {
      while (node && !node.nextElementSibling) [node, depth] = [node.parentElement, depth - 1]
      node = node?.nextElementSibling
    }
  }
}

function open(html, page) {
  const { document } = parseHTML(wrapPage(html))
  checkShape(document.documentElement)
  resolveLinks(document, page)
  return document
}

const dateNames = [
  'article:published_time',
  'dc.date',
  'dcterms.created',
  'citation_publication_date',
  'date',
]

function publishedIn(document) {
  const metas = [...document.querySelectorAll('meta[content]')].map((meta) => [
    (meta.getAttribute('name') ?? meta.getAttribute('property') ?? '').toLowerCase(),
    meta.getAttribute('content'),
  ])
  const named = dateNames.flatMap((name) => metas.find(([own]) => own === name)?.[1] ?? [])
  return named[0] ?? document.querySelector('time[datetime]')?.getAttribute('datetime') ?? undefined
}

const oneLine = (text) => text.replace(/\s+/g, ' ').trim()

/**
 * Returns whether a table has data: at least one row of several cells, and no table, heading, list, code
 * block or block quote in its cells.
 */
function isDataTable(table) {
  if (table.querySelector('table, h1, h2, h3, ul, ol, pre, blockquote')) return false
  return [...table.querySelectorAll('tr')].some((row) => row.querySelectorAll('td, th').length > 1)
}

function tableMarkdown(turndown, table) {
  const rows = [...table.querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll('td, th')].map((cell) =>
      oneLine(turndown.turndown(cell)).replaceAll('|', '\\|'),
    ),
  )
  const width = Math.min(100, Math.max(...rows.map((row) => row.length)))
  const line = (cells) => `| ${Array.from({ length: width }, (_, i) => cells[i] ?? '').join(' | ')} |`
  const [head, ...rest] = rows.filter((row) => row.length > 0).map(line)
  return ['', head, `|${' --- |'.repeat(width)}`, ...rest, ''].join('\n')
}

function createMarkdown() {
  const turndown = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
  })
  turndown.remove(unread)
  turndown.addRule('image', {
    filter: 'img',
    replacement: (_, image) => {
      const [alt, src] = [oneLine(image.getAttribute('alt') ?? ''), image.getAttribute('src')]
      return alt === '' || !src ? alt : `![${alt}](${src})`
    },
  })
  turndown.addRule('hidden', {
    filter: (node) => node.hasAttribute?.('hidden') || node.getAttribute?.('aria-hidden') === 'true',
    replacement: () => '',
  })
  turndown.addRule('table', {
    filter: (node) => node.nodeName === 'TABLE' && isDataTable(node),
    replacement: (_, table) => `\n\n${tableMarkdown(turndown, table)}\n\n`,
  })
  return turndown
}

function read({ html, url }) {
  if (html.split('<').length > maxTags) throw new Error('the page has too many elements')
  const document = open(html, url)
  const published = publishedIn(document)
  const named = oneLine(document.title ?? '')
  const article = new Readability(document, { keepClasses: true, serializer: (element) => element }).parse()
  const isArticle = oneLine(article?.textContent ?? '').length >= minArticleChars
  const title = oneLine(article?.title ?? '') || named
  const from = isArticle ? article.content : open(html, url).body
  return {
    title,
    published: article?.publishedTime ?? published ?? '',
    text: createMarkdown().turndown(from).trim(),
  }
}

parentPort.postMessage(read(workerData))
