// Width, color depth and characters from flags, environment and stream.
import { expect, test } from 'vitest'
import { terminalOptions } from '../../../internal/render/terminal.ts'

type Input = Parameters<typeof terminalOptions>[0]
const tty = { isTTY: true, columns: 132 }
const pipe = {}

const widths: [string, Partial<Input>, number][] = [
  ['nothing known', {}, 80],
  ['terminal', { stream: tty }, 132],
  ['COLUMNS before the terminal', { stream: tty, env: { COLUMNS: '90' } }, 90],
  ['COLUMNS below its range is ignored', { stream: tty, env: { COLUMNS: '19' } }, 132],
  ['COLUMNS above its range is ignored', { env: { COLUMNS: '501' } }, 80],
  ['COLUMNS that is no number is ignored', { env: { COLUMNS: '90x' } }, 80],
  ['flag before all', { stream: tty, env: { COLUMNS: '90' }, flags: { width: 60 } }, 60],
  ['narrow terminal counts as 20', { stream: { isTTY: true, columns: 7 } }, 20],
  ['very wide terminal counts as 500', { stream: { isTTY: true, columns: 900 } }, 500],
  ['terminal that reports 0 columns', { stream: { isTTY: true, columns: 0 } }, 80],
]

test.each(widths)('width: %s', (_, input, width) => {
  expect(terminalOptions({ env: {}, stream: pipe, ...input }).width).toBe(width)
})

const colors: [string, Partial<Input>, number][] = [
  ['pipe', {}, 0],
  ['terminal', { stream: tty }, 1],
  ['terminal with 256 colours', { stream: tty, env: { TERM: 'xterm-256color' } }, 2],
  ['terminal with all colours', { stream: tty, env: { TERM: 'xterm-256color', COLORTERM: 'truecolor' } }, 3],
  ['dumb terminal', { stream: tty, env: { TERM: 'dumb' } }, 0],
  ['NO_COLOR', { stream: tty, env: { NO_COLOR: '1' } }, 0],
  ['empty NO_COLOR says nothing', { stream: tty, env: { NO_COLOR: '' } }, 1],
  ['NO_COLOR before FORCE_COLOR', { env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, 0],
  ['FORCE_COLOR in a pipe', { env: { FORCE_COLOR: '1' } }, 1],
  ['FORCE_COLOR with a depth', { env: { FORCE_COLOR: '3' } }, 3],
  ['FORCE_COLOR=0 on a terminal', { stream: tty, env: { FORCE_COLOR: '0' } }, 0],
  ['FORCE_COLOR before dumb', { env: { FORCE_COLOR: '1', TERM: 'dumb' } }, 1],
  ['CLICOLOR_FORCE in a pipe', { env: { CLICOLOR_FORCE: '1' } }, 1],
  ['CLICOLOR_FORCE=0 on a terminal', { stream: tty, env: { CLICOLOR_FORCE: '0' } }, 0],
  ['flag always before NO_COLOR', { env: { NO_COLOR: '1' }, flags: { color: 'always' } }, 1],
  ['flag never before FORCE_COLOR', { stream: tty, env: { FORCE_COLOR: '1' }, flags: { color: 'never' } }, 0],
  ['flag auto is no flag', { stream: tty, flags: { color: 'auto' } }, 1],
]

test.each(colors)('color: %s', (_, input, color) => {
  expect(terminalOptions({ env: {}, stream: pipe, ...input }).color).toBe(color)
})

const charsets: [string, Partial<Input>, boolean][] = [
  ['nothing known', {}, true],
  ['UTF-8 locale', { env: { LANG: 'de_DE.UTF-8' } }, true],
  ['C.utf8', { env: { LC_ALL: 'C.utf8' } }, true],
  ['C locale', { env: { LC_ALL: 'C', LANG: 'en_US.UTF-8' } }, false],
  ['LC_CTYPE before LANG', { env: { LC_CTYPE: 'en_US.ISO-8859-1', LANG: 'en_US.UTF-8' } }, false],
  ['linux console', { env: { TERM: 'linux', LANG: 'en_US.UTF-8' } }, false],
  ['flag', { env: { LANG: 'en_US.UTF-8' }, flags: { ascii: true } }, false],
]

test.each(charsets)('characters: %s', (_, input, unicode) => {
  expect(terminalOptions({ env: {}, stream: pipe, ...input }).unicode).toBe(unicode)
})

test('ambiguous width comes from the environment', () => {
  expect(terminalOptions({ env: {}, stream: pipe }).ambiguous).toBe(1)
  expect(terminalOptions({ env: { ANODE_AMBIGUOUS_WIDTH: '2' }, stream: pipe }).ambiguous).toBe(2)
})
