// Reports of every form show the markup of their sources: written by the program, and looked at in a browser.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { readDocument } from '../../../internal/document/document.ts'
import { readPdf } from '../../../internal/media/pdf.ts'
import { type World, world } from '../../support/anode.ts'
import { withBrowser } from '../../support/browser.ts'
import { onFileEnd } from '../../support/file-end.ts'

const question = 'When is --debug used in development?'

/** One sentence in several kinds of markup. */
const sentences: readonly [string, string][] = [
  ['d.rst', 'Use ``--debug`` and *only* in development, see `the guide <https://example.org>`_.\n'],
  ['d.md', 'Use `--debug` and *only* in development, see [the guide](https://example.org).\n'],
  ['e.md', 'Use ``--debug`` and _only_ in development, see [the guide](<https://example.org>).\n'],
  ['d.txt', 'Use `--debug` and *only* in development, see [the guide](https://example.org).\n'],
]

function openWorld(files: Readonly<Record<string, string>>): World {
  const here = world()
  onFileEnd(() => here.remove())
  for (const [path, text] of Object.entries(files)) here.put(path, text)
  return here
}

async function readPdfText(path: string): Promise<string> {
  const signal = new AbortController().signal
  const limits = { chars: 100_000, pages: 20, ms: 20_000, memory: 1 << 30, signal }
  const pdf = await readPdf(new Uint8Array(readFileSync(path)), limits)
  if (typeof pdf === 'string') throw new Error(pdf)
  return pdf.text.replace(/\s+/g, ' ')
}

describe.each(sentences)('a report on %s', (path, text) => {
  let here: World
  const read = (name: string) => readFileSync(join(here.dir, name), 'utf8')
  const report = (...words: string[]) => here.anode(['study', 'report', 'last', ...words])

  beforeAll(async () => {
    here = openWorld({ [path]: text })
    await here.anode(['study', question, '-o', 'r.html', '--quiet'])
    for (const form of ['md', 'pdf']) await report('-o', `r.${form}`)
  }, 60_000)

  it('has elements for code, emphasis and links in HTML', () => {
    for (const part of ['<code>--debug</code>', '<em>only</em>', 'href="https://example.org"'])
      expect(read('r.html')).toContain(part)
    expect(read('r.html')).not.toMatch(/``|\*only|`_|\]\(/)
  })

  it('has spans and links in Markdown', () => {
    expect(read('r.md')).toContain(
      '> Use `--debug` and *only* in development, see [the guide](<https://example.org>).',
    )
  })

  it('has words without marks in a PDF, and the link', async () => {
    expect(await readPdfText(join(here.dir, 'r.pdf'))).toContain(
      'Use --debug and only in development, see the guide.',
    )
    expect(readFileSync(join(here.dir, 'r.pdf'), 'latin1')).toContain('/URI (https://example.org)')
  })

  it('has colors and the address on a terminal', async () => {
    const words = ['study', 'report', 'last', '--format', 'text']
    const { out } = await here.anode(words, { env: { FORCE_COLOR: '1' } })
    expect(out).toContain('\x1b[36m--debug\x1b[39m')
    expect(out).toContain('\x1b[3monly\x1b[23m')
    const plain = await here.anode(words)
    expect(plain.out.replace(/\s+┃?\s*/g, ' ')).toContain(
      'Use --debug and only in development, see the guide (https://example.org).',
    )
  })
})

const manual = {
  'doc/debug.rst':
    'Debug mode\n==========\n\nUse the ``--debug`` option in development. It enables the debugger, see ' +
    '`the guide\n' +
    '<https://example.org>`_ and :func:`flask.run`::\n\n    $ flask --app hello run --debug\n\n' +
    '.. warning:: Never use ``--debug`` in production.\n',
  'doc/limits.md':
    '# Limits of --debug in development\n\n' +
    '| option | `a_very_long_name_of_an_option_that_does_not_fit_into_a_phone` |\n' +
    '|---|---|\n| --debug | used in development only |\n',
}

describe('a corpus of reStructuredText in five forms', () => {
  let here: World
  const texts = new Map<string, string>()
  const table = (dash: string) => `${dash.repeat(9)}  ${dash.repeat(23)}\n`
  const files = {
    ...manual,
    'doc/settings.rst':
      '.. _settings:\n\nSettings of development\n=======================\n\n' +
      `${table('=')}Setting    Use in development\n${table('=')}` +
      '``DEBUG``  enables ``--debug``\n``PORT``   port of development\n' +
      `${table('=')}\nreloader\n    Restarts the server in development if \`\`--debug\`\` is set.\n\n` +
      '.. versionadded:: 2.2\n   The option ``--debug`` of development, see :ref:`settings`.\n\n' +
      '.. |name| replace:: ``--debug``\n',
  }

  beforeAll(async () => {
    here = openWorld(files)
    const asked = `${question.slice(0, -1)}, and what are the settings of development?`
    await here.anode(['study', asked, '-o', 'r.html', '--quiet'])
    const report = (...words: string[]) => here.anode(['study', 'report', 'last', ...words])
    for (const form of ['md', 'pdf', 'docx']) await report('-o', `r.${form}`)
    const file = (name: string) => readFileSync(join(here.dir, name), 'utf8')
    const signal = new AbortController().signal
    const read = await readDocument(join(here.dir, 'r.docx'), { signal })
    texts.set('terminal', (await report('--format', 'text')).out.replaceAll('┃', ' '))
    texts.set('HTML', file('r.html').replace(/<style>[\s\S]*?<\/style>|<[^>]*>/g, ''))
    texts.set(
      'Markdown',
      file('r.md')
        .replace(/^> ?/gm, '')
        .replaceAll(/[`*]|\]\(<[^>]*>\)/g, ''),
    )
    texts.set('PDF', await readPdfText(join(here.dir, 'r.pdf')))
    texts.set('DOCX', 'skipped' in read ? read.skipped : read.blocks.map(({ text }) => text).join('\n'))
  }, 120_000)

  it.each(['terminal', 'HTML', 'Markdown', 'PDF', 'DOCX'])('has words and no marks: %s', (form) => {
    const text = (texts.get(form) ?? '').replace(/\s+/g, ' ')
    for (const words of [
      'Use the --debug option in development. It enables the debugger, see ',
      '$ flask --app hello run --debug',
      'Setting: DEBUG; Use in development: enables --debug',
      'Setting: PORT; Use in development: port of development',
      'reloader: Restarts the server in development if --debug is set.',
      'New in version 2.2 The option --debug of development, see settings.',
    ])
      expect(text).toContain(words)
    expect(text).not.toMatch(/``|:ref:|:func:|\.\. |={5}|<https|`_|\|name\|/)
  })
})

/** Runs in the page: texts whose contrast is below 4.5, as WCAG counts it. */
function listFaintTexts(): string[] {
  const parse = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number)
  const light = (color: string) => {
    const [r = 0, g = 0, b = 0] = parse(color).map((value) => {
      const share = value / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const behind = (element: Element | null): string => {
    if (!element) return 'rgb(255, 255, 255)'
    const color = getComputedStyle(element).backgroundColor
    return (parse(color)[3] ?? 1) > 0 ? color : behind(element.parentElement)
  }
  const elements = [...document.querySelectorAll('main *')].filter((element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim()),
  )
  return elements.flatMap((element) => {
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))].sort((x, y) => y - x)
    const contrast = ((a as number) + 0.05) / ((b as number) + 0.05)
    return contrast < 4.5 ? [`${element.textContent}: ${contrast.toFixed(1)}`] : []
  })
}

withBrowser('the HTML report in a browser', (open) => {
  let html = ''
  beforeAll(async () => {
    const here = openWorld(manual)
    await here.anode(['study', question, '-o', 'r.html', '--quiet'])
    html = readFileSync(join(here.dir, 'r.html'), 'utf8')
  }, 60_000)

  test.each([
    [1280, false],
    [1280, true],
    [390, false],
    [390, true],
  ])('fits %i pixels, can be read (dark: %s), and loads nothing', async (width, dark) => {
    const { page, hosts, complaints } = await open({ width, dark })
    await page.setContent(html)
    await page.evaluate(() => {
      for (const one of document.querySelectorAll('details')) one.open = true
    })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    expect(await page.evaluate(listFaintTexts)).toEqual([])
    expect((await page.screenshot({ fullPage: true })).length).toBeGreaterThan(10_000)
    expect([...hosts, ...complaints]).toEqual([])
  })

  test('quotes have a bar, code keeps its lines, and what is about the study is folded', async () => {
    const { page } = await open()
    await page.setContent(html)
    const quote = page.locator('blockquote').first()
    expect(await quote.evaluate((one) => getComputedStyle(one).borderLeftStyle)).toBe('solid')
    expect(await page.locator('pre').first().innerText()).toContain('$ flask --app hello run --debug')
    expect(await page.getByText(question, { exact: true }).filter({ visible: true }).count()).toBe(1)
    const spent = page.getByRole('heading', { name: 'Budget' })
    expect(await spent.isVisible()).toBe(false)
    await page.getByText('About this study').click()
    await spent.waitFor({ state: 'visible' })
  })
})
