// Parts of the scenes of terminal pictures: the repository, the model and its replies, and the drawing itself.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { drawScreen } from '../../internal/render/svg/draw-screen.ts'
import { type ServedReply, serveModel } from '../support/model-server.ts'
import { readScreenCells, type ScreenMask } from '../support/pictures/screen-cells.ts'
import { git } from '../support/repo.ts'
import type { ScreenProgram, ScreenWorld } from '../support/screen-program.ts'

export const columns = 92

/** Text that differs between runs: ids, times, commits, the tip of the day. */
export const masks: readonly ScreenMask[] = [
  { pattern: / {3,}01[0-9A-HJKMNP-TV-Z]{8} {2}[\d.]+ m?s(?= *$)/, text: '01JD3K8QAA  1.4 s', isRight: true },
  { pattern: / {3,}\+1 -1 {2}[\d.]+ m?s(?= *$)/, text: '+1 -1  1.4 s', isRight: true },
  { pattern: / {3,}[\d.]+ m?s(?= *$)/, text: '1.4 s', isRight: true },
  { pattern: /\b01[0-9A-HJKMNP-TV-Z]{8}\b/, text: '01JD3K8QAA' },
  { pattern: /\[main [0-9a-f]{7}\]/, text: '[main 4f9d2c8]' },
  { pattern: /\b\d+ s, \d\d:\d\d left/, text: '4 s, 19:56 left' },
  { pattern: /\b\d+(?:\.\d+)? m?s\b(?!,)/, text: '1.4 s' },
  { pattern: /^ tip: .*\S/, text: ' tip: @ attaches a file, ! runs a shell command' },
  { pattern: /\btokens \d+/, text: 'tokens 7380' },
]

/** Draws the screen once nothing more is written to it. */
export async function draw(screen: ScreenProgram, title: string, hidden = masks): Promise<string> {
  for (let before = -1; before !== screen.bytes().length; ) {
    before = screen.bytes().length
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  await new Promise<void>((resolve) => screen.terminal.write('', resolve))
  return drawScreen(readScreenCells(screen.terminal, hidden), title, columns)
}

export function putRepository(here: ScreenWorld, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) here.put(path, text)
  git(here.dir, 'init', '-q', '-b', 'main')
  appendFileSync(join(here.dir, '.git', 'config'), '[user]\n\tname = Ada\n\temail = ada@example.org\n')
  git(here.dir, 'add', '-A')
  git(here.dir, 'commit', '-q', '-m', 'Add the cart')
}

const price = { input: 0, output: 0 }

/** Makes a server with these responses the configured model. `reviewer` is the URL of a second one. */
export async function configureModel(
  here: ScreenWorld,
  replies: readonly ServedReply[],
  reviewer?: string,
): Promise<void> {
  const server = await serveModel(replies)
  onTestFinished(() => server.close())
  const ollama = { baseUrl: server.url, window: 131_072, price }
  const small = { baseUrl: reviewer, window: 131_072, price }
  const config =
    reviewer === undefined
      ? { providers: { ollama }, model: 'ollama/qwen3-coder' }
      : {
          providers: { ollama, small },
          model: 'ollama/qwen3-coder',
          approvals: { reviewer: { model: 'small/qwen3' } },
        }
  here.put('../.config/anode/config.json', JSON.stringify(config))
}

export const brokenCart = `export function total(items) {
  return items.reduce((sum, item) => sum - item.price, 0)
}
`
const cartTest = `import assert from 'node:assert'
import { test } from 'node:test'
import { total } from './cart.js'

test('total adds prices', () => assert.equal(total([{ price: 2 }, { price: 3 }]), 5))
`
export const cart = { 'cart.js': brokenCart, 'cart.test.js': cartTest, 'package.json': '{"type":"module"}\n' }
export const usage = { in: 5_200, out: 120 }
export const readCart: ServedReply = {
  text: 'I read the function and its test first.',
  calls: [
    { id: 'a', name: 'read', args: { path: 'cart.js' } },
    { id: 'b', name: 'read', args: { path: 'cart.test.js' } },
  ],
  usage,
}
export const editCart: ServedReply = {
  text: '`total` subtracts each price. It has to add them.',
  calls: [
    {
      id: 'c',
      name: 'edit_file',
      args: { path: 'cart.js', edits: [{ old: 'sum - item.price', new: 'sum + item.price' }] },
    },
  ],
  usage,
}
export const commitCart: ServedReply = {
  text: 'The function adds prices now. I commit the fix.',
  calls: [{ id: 'd', name: 'bash', args: { command: "git commit -am 'Add prices in total'" } }],
  usage,
}

export const summary: ServedReply = {
  text: '`total` adds prices again. Next I would:\n\n1. run `node --test`\n2. commit `cart.js`',
  usage,
}

export async function drawOutput(
  here: ScreenWorld,
  words: readonly string[],
  title: string,
): Promise<string> {
  const screen = here.start(words, { columns, rows: 40 })
  await screen.exit
  return await draw(screen, title)
}
