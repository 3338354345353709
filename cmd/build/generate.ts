// The script that writes the files which the build can make in advance, such as the catalogs of tools and
// models, profiles, skills, help texts and the manual page.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { configSchema } from '../../internal/config/published.ts'
import { makeModelCatalog } from '../../internal/model/catalog/model-catalog.ts'
import { parseBuiltinProfiles as parseProfiles } from '../../internal/profile/profile-set.ts'
import { describeNatives } from '../../internal/runtime/tools/tool-registry.ts'
import { parseBuiltinSkills as parseSkills } from '../../internal/skill/skill-set.ts'
import { everyHelp, rootHelp } from '../anode/help.ts'
import { makeManPage } from './man-page.ts'

async function generateFiles(root: string, dist: string): Promise<void> {
  const json = (name: string, value: unknown) => writeFileSync(join(dist, name), JSON.stringify(value))
  json('catalog.json', await describeNatives())
  json('models.json', makeModelCatalog())
  json('profiles.json', await parseProfiles(join(root, 'profiles')))
  json('config.schema.json', configSchema())
  const helps = await everyHelp()
  json('help.json', helps)
  writeFileSync(join(dist, 'help.txt'), rootHelp())
  writeManPage(root, dist, helps)
  if (existsSync(join(root, 'skills'))) {
    cpSync(join(root, 'skills'), join(dist, 'skills'), { recursive: true })
    json('skills.json', await parseSkills(join(dist, 'skills')))
  }
}

function writeManPage(root: string, dist: string, helps: Readonly<Record<string, string>>): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  mkdirSync(join(dist, 'man'))
  writeFileSync(join(dist, 'man', 'anode.1.gz'), gzipSync(makeManPage(version, rootHelp(), helps)))
}

const [root, dist] = process.argv.slice(2)
if (root === undefined || dist === undefined) throw new Error('usage: generate ROOT DIST')
generateFiles(root, dist).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
