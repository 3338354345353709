// The built program reads a document once: other processes take its stored text.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fingerprint } from '../../internal/base/fingerprint.ts'
import { type World, world } from '../support/anode.ts'
import { makeDocx, wordParagraph } from '../support/zip.ts'

let here: World
beforeEach(() => {
  here = world()
  writeFileSync(join(here.dir, 'ship.docx'), makeDocx(wordParagraph('The ship sails at 19:40.')))
})
afterEach(() => here.remove())

const read = async (path = 'ship.docx') => {
  const { out } = await here.anode(['tools', 'use', 'read_document', '--arg', `path=${path}`])
  return out.trim()
}
const folder = () => join(here.dir, '..', '.cache', 'anode', 'documents')
const entry = () => join(folder(), readdirSync(folder())[0] ?? '')

/**
 * Replaces the text of the stored entry, with a matching fingerprint. Only a process that does not read the
 * file shows it.
 */
function swapText(): void {
  const [head = '', body = ''] = readFileSync(entry(), 'utf8').split('\n')
  const other = body.replace('19:40', 'dawn')
  writeFileSync(entry(), `${JSON.stringify({ ...JSON.parse(head), print: fingerprint(other) })}\n${other}`)
}

test('a second process does not read the file again, under any name; a broken entry is read anew', async () => {
  expect(await read()).toBe('The ship sails at 19:40.')
  swapText()
  expect(await read()).toBe('The ship sails at dawn.')
  writeFileSync(join(here.dir, 'copy.docx'), readFileSync(join(here.dir, 'ship.docx')))
  expect(await read('copy.docx')).toBe('The ship sails at dawn.')
  writeFileSync(entry(), readFileSync(entry(), 'utf8').slice(0, -5))
  expect(await read()).toBe('The ship sails at 19:40.')
  expect(readdirSync(folder())).toHaveLength(1)
})

test('several processes at once, and one that is killed, leave whole entries', async () => {
  for (let i = 0; i < 12; i++) {
    const body = `${wordParagraph(`Ship ${i} sails.`)}${wordParagraph('word '.repeat(20_000))}`
    writeFileSync(join(here.dir, `${i}.docx`), makeDocx(body))
  }
  const calls = Array.from(
    { length: 12 },
    (_, i) => `{"tool":"read_document","args":{"path":"${i}.docx"}}\n`,
  ).join('')
  const batch = () => here.anode(['tools', 'batch', '--tool', 'read_document'], { input: calls })
  const { spawn } = await import('node:child_process')
  const { program } = await import('../support/anode.ts')
  const killed = spawn(process.execPath, [program, 'tools', 'batch', '--tool', 'read_document'], {
    cwd: here.dir,
    env: { PATH: process.env.PATH, HOME: join(here.dir, '..'), ANODE_DATA_DIR: here.data },
  })
  killed.stdin.on('error', () => undefined)
  killed.stdin.write(calls)
  const ended = new Promise((resolve) => killed.once('exit', resolve))
  killed.stdout.once('data', () => killed.kill('SIGKILL'))
  const answers = await Promise.all([batch(), batch()])
  await ended
  for (const { out } of [...answers, await batch()])
    for (const [i, line] of out.trim().split('\n').entries())
      expect(JSON.parse(line).text).toMatch(new RegExp(`^Ship ${i} sails\\.`))
  for (const name of readdirSync(folder()).filter((one) => one.endsWith('.json'))) {
    const [head = '', body = ''] = readFileSync(join(folder(), name), 'utf8').split('\n')
    expect(JSON.parse(head).print).toBe(fingerprint(body))
  }
})
