// The terminal pictures of the manual equal what the program shows now. `npm run pictures` writes them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../support/sources.ts'
import { scenes } from './terminal-scenes.ts'

it.each(Object.entries(scenes))(
  'manual/images/%s is what the program shows',
  async (name, drawScene) => {
    const path = join(root, 'manual', 'images', name)
    const picture = await drawScene()
    if (process.env['ANODE_PICTURES'] === 'write') {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, picture)
    }
    const stored = existsSync(path) ? readFileSync(path, 'utf8') : ''
    expect(picture, `manual/images/${name} is stale: run \`npm run pictures\``).toBe(stored)
  },
  60_000,
)
