// The scenes of the pictures from a browser: the page of the server, and a study report.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { world } from '../support/anode.ts'
import { servedData, startServer } from '../support/http-server.ts'
import { git } from '../support/repo.ts'
import { plant } from '../support/scratch.ts'
import { root } from '../support/sources.ts'

export interface BrowserScene {
  /** Pixels; the width is the same for all. */
  height: number
  /** Returns all that decides how the picture looks. */
  readSources(): Promise<string>
  /** Opens the scene; `sources` is what `readSources` returned. */
  show(page: Page, sources: string): Promise<void>
}

export const hashSources = (sources: string) => createHash('sha256').update(sources).digest('hex')

const documents = {
  'doc/lock.md':
    '# Locks\n\nThe store locks files with `O_EXCL`. A lock is held for *at most* 30 seconds, see ' +
    '[the manual page](https://man7.org/linux/man-pages/man2/open.2.html).\n\n' +
    'A second process waits for the lock. It breaks a lock whose process is dead.\n',
  'doc/crash.md':
    '# Crash\n\nAfter a crash the journal is replayed. A crash never loses an acknowledged line.\n\n' +
    'An incomplete last line is dropped when the journal opens.\n',
}

/** Returns the HTML report of a study by the extractor, without ids and times. */
async function writeReport(): Promise<string> {
  const here = world()
  onTestFinished(() => here.remove())
  for (const [path, text] of Object.entries(documents)) here.put(path, text)
  const question = 'How does the store lock files, and what happens on a crash?'
  await here.anode(['study', question, '--model', 'builtin/extract', '-o', 'report.html', '--quiet'])
  return (
    readFileSync(join(here.dir, 'report.html'), 'utf8')
      // the lines of a command depend on the length of its paths
      .replace(/ \\\n +/g, ' ')
      .replaceAll(encodeURI(here.dir), '~/store')
      .replaceAll(here.dir, '~/store')
      // a path with blanks is a word in quotes
      .replaceAll('<span class="string">&#39;~/store&#39;</span>', '~/store')
      .replace(/\b01[0-9A-HJKMNP-TV-Z]{8,24}\b/g, '01JD3K8QAA')
      .replace(/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z?)?/g, '2026-03-01')
      .replace(/\b\d+(?:\.\d+)? m?s\b/g, '0.4 s')
  )
}

const task = 'Fix the total of the cart'
const cart = `export function total(items) {
  return items.reduce((sum, item) => sum - item.price, 0)
}
`
const replies = [
  { text: 'I read the function first.', calls: [{ name: 'read', args: { path: 'cart.js' } }] },
  {
    text: '`total` subtracts each price. It has to add them.',
    calls: [
      {
        name: 'edit_file',
        args: { path: 'cart.js', edits: [{ old: 'sum - item.price', new: 'sum + item.price' }] },
      },
    ],
  },
]

async function showPage(page: Page): Promise<void> {
  const at = servedData(replies)
  plant(at.cwd, { 'cart.js': cart })
  git(at.cwd, 'init', '-q', '-b', 'main')
  const server = await startServer(at)
  const { json } = await server.ask('/v1/runs', { body: at.wishes(task) })
  await page.goto(`http://127.0.0.1:${server.port}/runs/${json['thread']}#token=${server.token}`)
  await page.getByRole('group', { name: /Allow edit_file/ }).waitFor()
  await page.evaluate(replaceTexts, [
    [at.cwd, '~/shop'],
    ['script:\\S+', 'ollama/qwen3-coder'],
  ] as const)
}

/** Runs in the page: replaces patterns in each text. */
function replaceTexts(masks: readonly (readonly [string, string])[]): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (const [pattern, text] of masks)
      node.nodeValue = (node.nodeValue ?? '').replace(new RegExp(pattern, 'g'), text)
}

/** Returns the names of the built files, which contain the hash of what is in them, and the scene. */
const readPageSources = async () =>
  JSON.stringify([readdirSync(join(root, 'dist', 'page')).sort(), task, cart, replies])

/** Pictures by file name. */
export const browserScenes: Readonly<Record<string, BrowserScene>> = {
  'page.png': { height: 845, readSources: readPageSources, show: showPage },
  'report.png': { height: 820, readSources: writeReport, show: (page, html) => page.setContent(html) },
}
