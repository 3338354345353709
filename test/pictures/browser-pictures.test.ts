// The pictures from a browser belong to the sources of now. `npm run pictures` writes those whose sources changed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withBrowser } from '../support/browser.ts'
import { root } from '../support/sources.ts'
import { browserScenes, hashSources } from './browser-scenes.ts'

const isWriting = process.env['ANODE_PICTURES'] === 'write'
const directory = join(root, 'manual', 'images')
const hashFile = join(directory, 'sources.json')
const scenes = Object.entries(browserScenes)

function readHashes(): Record<string, string> {
  return existsSync(hashFile) ? JSON.parse(readFileSync(hashFile, 'utf8')) : {}
}

if (isWriting)
  withBrowser('pictures from a browser', (open) => {
    it.each(scenes)('manual/images/%s is written if its sources changed', async (name, scene) => {
      const path = join(directory, name)
      const sources = await scene.readSources()
      const hash = hashSources(sources)
      if (existsSync(path) && readHashes()[name] === hash) return
      const { page } = await open({ width: 900, height: scene.height })
      await scene.show(page, sources)
      await page.screenshot({ path })
      const hashes = { ...readHashes(), [name]: hash }
      writeFileSync(hashFile, `${JSON.stringify(hashes, Object.keys(hashes).sort(), 2)}\n`)
    })
  })
else
  describe('pictures from a browser', () => {
    it.each(scenes)('manual/images/%s belongs to its sources', async (name, scene) => {
      const hash = hashSources(await scene.readSources())
      expect(existsSync(join(directory, name))).toBe(true)
      expect(readHashes()[name], `manual/images/${name} is stale: run \`npm run pictures\``).toBe(hash)
    })
  })
