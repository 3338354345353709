// Whole screens of a session, scene by scene, in every form, size and colour: UPDATE=1 writes them anew.
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
  'inline 80x24 NO_COLOR': { ...small, form: 'inline', env: { NO_COLOR: '1' }, isStyled: true },
  'inline 80x24 auto': { ...small, form: 'inline', isStyled: true },
  'inline 80x24 dark': { ...small, form: 'inline', theme: 'dark', env: trueColor, isStyled: true },
  'inline 80x24 light': { ...small, form: 'inline', theme: 'light', env: trueColor, isStyled: true },
}
/** Colours are those of marks, diffs and questions: these scenes hold them all. */
const colored = ['approval', 'answer']

test.each(scenes)('%s', async (scene) => {
  const drawn: string[] = []
  for (const [name, look] of Object.entries(looks)) {
    if (look.isStyled && !colored.includes(scene)) continue
    const text = await playScene(join(folder, `${scene}.jsonl`), look)
    drawn.push(`# ${name}\n${text}`)
  }
  const path = join(folder, `${scene}.txt`)
  const text = drawn.join('\n')
  mkdirSync(folder, { recursive: true })
  if (process.env.UPDATE === '1') writeFileSync(path, text)
  expect(text).toBe(readFileSync(path, 'utf8'))
})
