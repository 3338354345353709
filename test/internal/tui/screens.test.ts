// Whole screens of a session, scene by scene, in every form, size and color. UPDATE=1 writes them again.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playScene, type SceneLook } from '../../support/scene.ts'
import { root } from '../../support/sources.ts'

const folder = join(root, 'test', 'internal', 'tui', 'screens')
const scenes = readdirSync(folder).flatMap((name) => /^(.+)\.jsonl$/.exec(name)?.[1] ?? [])

const small = { columns: 80, rows: 24 }
const trueColor = { COLORTERM: 'truecolor' }
const looks: Readonly<Record<string, SceneLook>> = {
  'inline 80x24': { ...small, form: 'inline' },
  'inline 40x12': { columns: 40, rows: 12, form: 'inline' },
  'inline 80x24 ascii': { ...small, form: 'inline', env: { LC_ALL: 'C' } },
  'full 80x24': { ...small, form: 'full' },
  'full 120x40': { columns: 120, rows: 40, form: 'full' },
  'full 110x28': { columns: 110, rows: 28, form: 'full' },
  'inline 80x24 NO_COLOR': { ...small, form: 'inline', env: { NO_COLOR: '1' }, isStyled: true },
  'inline 80x24 auto': { ...small, form: 'inline', isStyled: true },
  'inline 80x24 dark': { ...small, form: 'inline', theme: 'dark', env: trueColor, isStyled: true },
  'inline 80x24 light': { ...small, form: 'inline', theme: 'light', env: trueColor, isStyled: true },
}
/** Scenes that are as wide as the page of the manual. */
const printed = ['work']
/** Scenes with all colored parts: marks, diffs and questions. */
const colored = ['approval', 'answer']

test.each(scenes)('%s', async (scene) => {
  const drawn: string[] = []
  for (const [name, look] of Object.entries(looks)) {
    if (look.isStyled && !colored.includes(scene)) continue
    if (name === 'full 110x28' && !printed.includes(scene)) continue
    const text = await playScene(join(folder, `${scene}.jsonl`), look)
    drawn.push(`# ${name}\n${text}`)
  }
  const path = join(folder, `${scene}.txt`)
  const text = drawn.join('\n')
  mkdirSync(folder, { recursive: true })
  if (process.env.UPDATE === '1') writeFileSync(path, text)
  expect(text).toBe(readFileSync(path, 'utf8'))
})

/** Returns one capture of a golden file; undefined if it is missing. */
function findCapture(scene: string, look: string, name: string): string | undefined {
  const text = readFileSync(join(folder, `${scene}.txt`), 'utf8')
  const [, part] = `\n${text}\n\n# `.split(`\n# ${look}\n`)
  const [, rest] = `${part?.split('\n\n# ')[0]}\n`.split(`== ${name}\n`)
  return rest?.split(/^== /m)[0]
}

/** Matches the first line of a block: the scene, the look and the capture. */
const shown = /^```text (.+?), (.+?), (.+)\n([\s\S]*?)```/gm

test('the screens of the manual match the drawn ones', () => {
  const pages = ['session.md', 'session-reference.md'].map((name) => join(root, 'manual', name))
  if (process.env.UPDATE === '1')
    for (const page of pages) {
      const updated = readFileSync(page, 'utf8').replace(shown, (_, scene, look, name, body) => {
        const text = findCapture(scene, look, name) ?? body
        return `\`\`\`text ${scene}, ${look}, ${name}\n${text}\`\`\``
      })
      writeFileSync(page, updated)
    }
  const blocks = pages.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(shown)])
  expect(blocks.length).toBeGreaterThanOrEqual(4)
  for (const [, scene = '', look = '', name = '', body] of blocks)
    expect(findCapture(scene, look, name), `${scene}, ${look}, ${name}`).toBe(body)
})
