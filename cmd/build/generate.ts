// Writes what can be known at build time: catalogue, profiles, skills, help texts, configuration schema.
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configSchema } from '../../internal/config/published.ts'
import { makeModelCatalog } from '../../internal/model/catalog/model-catalog.ts'
import { parseBuiltinProfiles as parseProfiles } from '../../internal/profile/profile-set.ts'
import { describeNatives } from '../../internal/runtime/tools/tool-descriptions.ts'
import { parseBuiltinSkills as parseSkills } from '../../internal/skill/skill-set.ts'
import { everyHelp, rootHelp } from '../anode/help.ts'

async function generate(root: string, dist: string): Promise<void> {
  const json = (name: string, value: unknown) => writeFileSync(join(dist, name), JSON.stringify(value))
  json('catalog.json', await describeNatives())
  json('models.json', makeModelCatalog())
  json('profiles.json', await parseProfiles(join(root, 'profiles')))
  json('config.schema.json', configSchema())
  json('help.json', await everyHelp())
  writeFileSync(join(dist, 'help.txt'), rootHelp())
  if (existsSync(join(root, 'skills'))) {
    cpSync(join(root, 'skills'), join(dist, 'skills'), { recursive: true })
    json('skills.json', await parseSkills(join(dist, 'skills')))
  }
}

const [root, dist] = process.argv.slice(2)
if (root === undefined || dist === undefined) throw new Error('usage: generate ROOT DIST')
generate(root, dist).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
