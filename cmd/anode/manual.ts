// The command `anode manual`, which prints, pages and searches the manual that comes with Anode.

import { UserError } from '../../internal/base/errors.ts'
import { countNoun } from '../../internal/base/text/count-noun.ts'
import { suggestNames } from '../../internal/base/text/name-suggestion.ts'
import { filterPrintedText, sanitizeText } from '../../internal/render/text/terminal-filter.ts'
import { showInPager } from '../../internal/service/desktop/pager.ts'
import {
  findPage,
  listPages,
  listSections,
  renamedPages,
} from '../../internal/service/doctor/manual-pages.ts'
import { type ManualMatch, searchManual } from '../../internal/service/doctor/manual-search.ts'
import { drawPage, explainNoRows, fitLines } from './io/prose.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from './verb.ts'

export const manual: Verb = {
  name: 'manual',
  summary: 'Print a page of the manual, search it, or list the pages',
  usage: 'manual [PAGE] [flags]',
  positionals: [{ name: 'PAGE', describe: 'Such as permissions, commands/tools or grep; default: the list' }],
  options: {
    search: { type: 'string', value: 'WORDS', describe: 'List the lines that contain all these words' },
    json: { type: 'boolean', describe: 'Print JSON: the pages, one page with its text, or the matches' },
  },
  examples: [
    ['anode manual', 'List the pages'],
    ['anode manual permissions', 'Read about levels, modes and rules ($PAGER, or less, on a terminal)'],
    ['anode manual tools/grep', 'Read about the parameters of one tool'],
    ['anode manual --search sandbox', 'Find the pages and lines about the sandbox'],
  ],
  run: async (args: CommandArgs, io: CommandIo) => {
    const name = stringArg(args, 'PAGE')
    const query = stringArg(args, 'search')
    const isJson = flagArg(args, 'json')
    if (query !== undefined) return printMatches(query, name, isJson, io)
    if (name === undefined) {
      if (isJson) io.stdout.write(`${JSON.stringify(listPages(), null, 2)}\n`)
      else await showText(fitLines(formatOverview(), io), io)
      return 0
    }
    const page = findPage(name)
    if (!page) throw unknownPage(name)
    if (isJson) io.stdout.write(`${JSON.stringify(page, null, 2)}\n`)
    else await showText(await drawPage(page.text, io), io)
    return 0
  },
}

function unknownPage(name: string): UserError {
  const pages = listPages().flatMap(({ page }) => [page, page.split('/').at(-1) ?? page])
  const near = suggestNames(name, new Set([...pages, ...Object.keys(renamedPages)]))
  return new UserError(`the manual has no page ${sanitizeText(name)}`, {
    hint: near || 'run `anode manual` for the list, or `anode manual --search WORDS`',
  })
}

/**
 * Writes the text. If the terminal has fewer rows than the text, shows it in a pager instead, unless
 * the pager fails.
 */
async function showText(text: string, io: CommandIo): Promise<void> {
  const { isTTY, rows } = io.stdout.isTTY ? io.stdout.stream : { isTTY: false, rows: 0 }
  if (isTTY && rows > 0 && text.split('\n').length > rows) {
    if (await showInPager(filterPrintedText(text), io.env, io.cwd)) return
  }
  io.stdout.write(text)
}

/** Largest number of matches that are printed as text; `--json` prints all matches. */
const maxShown = 40

async function printMatches(query: string, page: string | undefined, isJson: boolean, io: CommandIo) {
  if (page !== undefined)
    throw new UserError(`--search takes the words, so ${sanitizeText(page)} has no meaning`, {
      hint: `write them in quotes: anode manual --search "${sanitizeText(`${query} ${page}`)}"`,
    })
  if (query.trim() === '')
    throw new UserError('--search needs a word', { hint: 'for example: anode manual --search sandbox' })
  const matches = searchManual(query)
  if (isJson) io.stdout.write(`${JSON.stringify(matches, null, 2)}\n`)
  else if (matches.length > 0) await showText(fitLines(formatMatches(matches), io), io)
  if (matches.length > 0) return 0
  explainNoRows(
    `No line of the manual contains "${sanitizeText(query)}". Try fewer or other words, ` +
      'or list the pages with `anode manual`.',
    io,
  )
  return 1
}

function formatMatches(matches: readonly ManualMatch[]): string {
  const matchTexts = matches
    .slice(0, maxShown)
    .map(({ page, heading, line, text }) => `${page}:${line}  ${heading}\n    ${text}\n`)
  const remainingCount = matches.length - matchTexts.length
  const more =
    remainingCount > 0
      ? [`${countNoun(remainingCount, 'more match', 'more matches')}: add a word, or use --json`, '']
      : []
  return [matchTexts.join(''), ...more].join('\n')
}

/**
 * Returns a list of the guides and references by section, and the number of generated pages
 * in each directory.
 */
function formatOverview(): string {
  const pages = listPages()
  const sections = listSections()
  const width = Math.max(
    ...sections.flatMap(({ pages: sectionPages }) => sectionPages.map(({ page }) => page.length)),
  )
  const lists = sections.map(({ name, pages: sectionPages }) =>
    [name, ...sectionPages.map(({ page, about }) => `  ${page.padEnd(width)}  ${about}`), ''].join('\n'),
  )
  const folders = [...new Set(pages.flatMap(({ page }) => (page.includes('/') ? [page.split('/')[0]] : [])))]
  const generated = folders.map((folder) => {
    const names = pages.filter(({ page }) => page.startsWith(`${folder}/`))
    return `  ${folder}/PAGE  ${countNoun(names.length, 'page')}, for example ${names[0]?.page}`
  })
  const head = 'Print a page with `anode manual PAGE`, search with `anode manual --search WORDS`\n'
  return [head, ...lists, 'One page each', ...generated, ''].join('\n')
}
