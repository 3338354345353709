// `anode manual`: prints a page of the manual that came with the program.

import { UserError } from '../../internal/base/errors.ts'
import { countNoun } from '../../internal/base/text/count-noun.ts'
import { suggestNames } from '../../internal/base/text/name-suggestion.ts'
import { sanitizeText } from '../../internal/render/text/terminal-filter.ts'
import { findPage, listPages } from '../../internal/service/doctor/manual-pages.ts'
import { drawPage, fitLines } from './io/prose.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from './verb.ts'

export const manual: Verb = {
  name: 'manual',
  summary: 'Print a page of the manual, or list the pages',
  usage: 'manual [PAGE] [flags]',
  positionals: [{ name: 'PAGE', describe: 'Such as permissions, commands/tools or grep; absent: the list' }],
  options: { json: { type: 'boolean', describe: 'Print JSON: the pages, or one with its text' } },
  examples: [
    ['anode manual', 'What there is'],
    ['anode manual permissions | less', 'Levels, modes and rules'],
    ['anode manual tools/grep', 'Parameters and caps of one tool'],
  ],
  run: async (args: CommandArgs, io: CommandIo) => {
    const pages = listPages()
    const name = stringArg(args, 'PAGE')
    if (name === undefined) {
      if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(pages, null, 2)}\n`)
      else io.stdout.write(fitLines(`${overview(pages)}\n`, io))
      return 0
    }
    const found = findPage(name)
    if (!found) {
      const names = new Set(pages.flatMap(({ page }) => [page, page.split('/').at(-1) ?? page]))
      const near = suggestNames(name, names)
      throw new UserError(`the manual has no page ${sanitizeText(name)}`, {
        hint: near || 'run `anode manual` for the list',
      })
    }
    if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
    else io.stdout.write(await drawPage(found.text, io))
    return 0
  },
}

/** The pages of the manual's first level with their titles, the others by folder. */
function overview(pages: readonly { page: string; title: string }[]): string {
  const top = pages.filter(({ page }) => !page.includes('/'))
  const width = Math.max(...top.map(({ page }) => page.length))
  const lines = top.map(({ page, title }) => `  ${page.padEnd(width)}  ${title}`)
  const folders = [...new Set(pages.flatMap(({ page }) => (page.includes('/') ? [page.split('/')[0]] : [])))]
  const more = folders.map((folder) => {
    const names = pages.filter(({ page }) => page.startsWith(`${folder}/`))
    return `  ${folder}/PAGE  ${countNoun(names.length, 'page')}, for example ${names[0]?.page}`
  })
  return ['Pages of the manual; print one with `anode manual PAGE`\n', ...lines, '', ...more].join('\n')
}
